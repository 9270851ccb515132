import Form from 'next/form'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { cn } from '@/lib/web/class-names'
import { Button } from './ui/button'
import { buttonVariants } from './ui/button-variants'
import { fieldClasses } from './ui/input'

type AdminFiltersProps = {
  readonly path: string
  readonly isFiltered: boolean
  readonly children: ReactNode
}

/** Filters that are kept in the address, so that a list can be sent to somebody. */
export function AdminFilters({ path, isFiltered, children }: AdminFiltersProps) {
  return (
    <Form action={path} role="search" className="mb-6 flex flex-wrap items-end gap-3">
      {children}
      <Button type="submit" variant="outline">
        Show
      </Button>
      {isFiltered && (
        <Link href={path} className={buttonVariants({ variant: 'ghost' })}>
          Clear
        </Link>
      )}
    </Form>
  )
}

type FilterTextProps = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
}

export function FilterText({ name, label, value = '', placeholder }: FilterTextProps) {
  return (
    <label className="flex w-full min-w-0 flex-col gap-1.5 text-sm sm:w-auto sm:min-w-64 sm:flex-1">
      {label}
      <input
        key={value}
        name={name}
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        className={cn(fieldClasses, 'h-10')}
      />
    </label>
  )
}

type FilterDayProps = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
}

/** A day of UTC, as all times of admins are. */
export function FilterDay({ name, label, value = '' }: FilterDayProps) {
  return (
    <label className="flex min-w-0 flex-1 basis-36 flex-col gap-1.5 text-sm sm:flex-none">
      {label} (UTC)
      <input
        key={value}
        type="date"
        name={name}
        defaultValue={value}
        className={cn(fieldClasses, 'h-10')}
      />
    </label>
  )
}

type FilterChoiceProps = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  /** The first is chosen when nothing is. */
  readonly options: readonly (readonly [value: string, words: string])[]
}

export function FilterChoice({ name, label, value = '', options }: FilterChoiceProps) {
  return (
    <label className="flex min-w-0 flex-1 basis-36 flex-col gap-1.5 text-sm sm:flex-none">
      {label}
      <select
        key={value}
        name={name}
        defaultValue={value}
        className={cn(fieldClasses, 'h-10 pr-8')}
      >
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
