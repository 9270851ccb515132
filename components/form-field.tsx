import type { ComponentProps } from 'react'
import { Input } from './ui/input'

type FormFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly problem: string | undefined
}

/** A labelled field whose problem is named where it is. */
export function FormField({ label, hint, problem, name, ...props }: FormFieldProps) {
  const noteId = `${name}-note`
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={name} className="text-sm font-medium">
        {label}
      </label>
      <Input
        id={name}
        name={name}
        aria-invalid={problem !== undefined}
        aria-describedby={noteId}
        className="h-11!"
        {...props}
      />
      <p id={noteId} className="min-h-5 text-sm text-muted">
        {problem === undefined ? hint : <span className="text-safelight-ink">{problem}</span>}
      </p>
    </div>
  )
}
