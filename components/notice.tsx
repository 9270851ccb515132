import type { ReactNode } from 'react'

type NoticeProps = {
  readonly code: string
  readonly title: string
  readonly children: ReactNode
  readonly action: ReactNode
}

/** A page that says what is wrong and what to do: one frame of film, and words. */
export function Notice({ code, title, children, action }: NoticeProps) {
  return (
    <div className="mx-auto flex min-h-[60vh] max-w-xl flex-col justify-center gap-8 py-10">
      <div className="w-64 max-w-full rounded-sm bg-film-edge py-2">
        <div aria-hidden="true" className="h-1.5 perforated" />
        <div className="mx-2 my-2 flex aspect-[3/2] items-center justify-center border border-film-line bg-film-paper">
          <span className="font-mono text-2xl text-film-muted tabular-nums">{code}</span>
        </div>
        <div aria-hidden="true" className="h-1.5 perforated" />
      </div>
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-medium tracking-tight">{title}</h1>
        <p className="leading-relaxed text-pretty text-muted">{children}</p>
      </div>
      <div className="flex flex-wrap gap-3">{action}</div>
    </div>
  )
}
