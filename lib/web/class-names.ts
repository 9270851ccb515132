import { clsx, type ClassValue } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Joins class names; of two Tailwind classes that contradict each other the last one wins. */
export function cn(...classes: readonly ClassValue[]): string {
  return twMerge(clsx(classes))
}
