import { useTranslations } from 'next-intl'

const FRAMES = Array.from({ length: 12 }, (_, index) => index)

/** The sheet before its frames are there: the same film, the same places. */
export function ContactSheetSkeleton() {
  const t = useTranslations('images')
  return (
    <div className="overflow-hidden rounded-md bg-film-edge p-2 sm:p-3" aria-busy="true">
      <p className="sr-only" role="status">
        {t('loading')}
      </p>
      <div aria-hidden="true" className="mb-2 h-1.5 perforated sm:mb-3" />
      <div
        aria-hidden="true"
        className="grid grid-cols-2 gap-1.5 sm:grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] sm:gap-2"
      >
        {FRAMES.map((frame) => (
          <div key={frame}>
            <div className="aspect-square bg-film" />
            <div className="h-[3.375rem]" />
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="mt-2 h-1.5 perforated sm:mt-3" />
    </div>
  )
}
