import { useTranslations } from 'next-intl'
import { cn } from '@/lib/web/class-names'

const FRAMES = [
  'forest',
  'lake',
  'study',
  'sea',
  'planet',
  'city',
  'dunes',
  'night',
  'mountains',
] as const

/** A contact sheet of pictures that Darkroom made. Each develops in its turn. */
export function WelcomeSheet({ className }: { readonly className?: string }) {
  const t = useTranslations('welcome.sheet')
  return (
    <figure
      className={cn('rounded-md bg-film-edge p-3 shadow-2xl shadow-black/40 sm:p-4', className)}
    >
      <div aria-hidden="true" className="mb-3 h-1.5 perforated sm:mb-4" />
      <div className="grid grid-cols-3 gap-2 sm:gap-3">
        {FRAMES.map((name, index) => (
          <div key={name} className="aspect-square overflow-hidden bg-film-paper">
            <img
              src={`/welcome/${name}.webp`}
              width={420}
              height={420}
              alt={t(name)}
              className="size-full animate-develop object-cover"
              style={{ animationDelay: `${200 + index * 160}ms` }}
            />
          </div>
        ))}
      </div>
      <figcaption className="mt-3 flex justify-between edge-print text-film-muted sm:mt-4">
        <span>Darkroom</span>
        <span aria-hidden="true">→ 9A</span>
      </figcaption>
      <div aria-hidden="true" className="mt-3 h-1.5 perforated" />
    </figure>
  )
}
