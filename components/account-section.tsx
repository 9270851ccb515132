import type { ReactNode } from 'react'

type AccountSectionProps = {
  readonly id: string
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

/** One matter of the account's page, named by its heading. */
export function AccountSection({ id, title, lead, children }: AccountSectionProps) {
  return (
    <section aria-labelledby={`${id}-heading`} className="rounded-lg border bg-surface p-5">
      <h2 id={`${id}-heading`} className="font-medium">
        {title}
      </h2>
      {lead !== undefined && <p className="mt-1 text-sm text-pretty text-muted">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}
