import type { ReactNode } from 'react'

type EmptyStateProps = {
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** An unexposed strip of film, and what to do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center justify-center gap-6 rounded-lg border border-dashed border-line-strong/60 px-6 py-16 text-center">
      <div aria-hidden="true" className="w-56 max-w-full rounded-sm bg-film py-1.5">
        <div className="h-1.5 perforated" />
        <div className="my-1.5 grid grid-cols-3 gap-1 px-1">
          {[1, 2, 3].map((frame) => (
            <div key={frame} className="aspect-[3/2] border border-film-line bg-film-paper" />
          ))}
        </div>
        <div className="h-1.5 perforated" />
      </div>
      <div className="flex max-w-md flex-col gap-2">
        <h2 className="text-lg font-medium tracking-tight">{title}</h2>
        <p className="text-sm leading-relaxed text-pretty text-muted">{children}</p>
      </div>
      {action}
    </div>
  )
}
