/** Joins class names. Whoever overrides a component's own class marks it as important: `h-auto!`. */
export { clsx as cn } from 'clsx'
