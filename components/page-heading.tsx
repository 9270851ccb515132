import type { ReactNode } from 'react'

type PageHeadingProps = { readonly title: string; readonly children?: ReactNode }

export function PageHeading({ title, children }: PageHeadingProps) {
  return (
    <div className="mb-6 flex flex-col gap-1.5 sm:mb-8">
      <h1 className="text-2xl font-medium tracking-tight sm:text-[1.75rem]">{title}</h1>
      {children && <p className="max-w-prose text-sm leading-relaxed text-muted">{children}</p>}
    </div>
  )
}
