import { cn } from '@/lib/web/class-names'

const FRAMES = [
  { name: 'forest', alt: 'A forest in autumn mist' },
  { name: 'lake', alt: 'A mountain above a frozen lake' },
  { name: 'study', alt: 'An abstract study in red and ink' },
  { name: 'sea', alt: 'A grey sea under a white sun' },
  { name: 'planet', alt: 'A ringed planet among stars' },
  { name: 'city', alt: 'A city and its reflection' },
  { name: 'dunes', alt: 'Dunes with long shadows' },
  { name: 'night', alt: 'The moon over the sea' },
  { name: 'mountains', alt: 'Mountains at first light' },
] as const

/** A contact sheet of pictures that Darkroom made. Each develops in its turn. */
export function WelcomeSheet({ className }: { readonly className?: string }) {
  return (
    <figure
      className={cn('rounded-md bg-film-edge p-3 shadow-2xl shadow-black/40 sm:p-4', className)}
    >
      <div aria-hidden="true" className="mb-3 h-1.5 perforated sm:mb-4" />
      <div className="grid grid-cols-3 gap-2 sm:gap-3">
        {FRAMES.map(({ name, alt }, index) => (
          <div key={name} className="aspect-square overflow-hidden bg-film-paper">
            <img
              src={`/welcome/${name}.webp`}
              width={420}
              height={420}
              alt={alt}
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
