import { cn } from '@/lib/web/class-names'

/** A frame of film with a print in it, and the name. */
export function WordmarkSign({ isCompact = false }: { readonly isCompact?: boolean }) {
  return (
    <span className="flex items-center gap-2.5 font-medium tracking-tight">
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 shrink-0" fill="none">
        <rect x="1" y="2" width="22" height="20" rx="2.5" className="fill-foreground" />
        <g className="fill-background">
          <rect x="5.5" y="7" width="13" height="10" rx="0.75" />
          {[4, 8.2, 12.4, 16.6].map((x) => (
            <g key={x}>
              <rect x={x} y="3.6" width="2.2" height="1.7" rx="0.4" />
              <rect x={x} y="18.7" width="2.2" height="1.7" rx="0.4" />
            </g>
          ))}
        </g>
        <path d="M6.5 15.8l3.4-4 2.4 2.6 1.8-1.9 3.4 3.3z" className="fill-foreground" />
        <circle cx="15.3" cy="9.8" r="1.2" className="fill-foreground" />
      </svg>
      <span className={cn('text-[1.0625rem]', isCompact && 'max-sm:sr-only')}>Darkroom</span>
    </span>
  )
}
