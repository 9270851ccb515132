'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import { buyCreditsAction } from '@/app/(app)/credits/actions'
import { RequestId } from '@/lib/domain/ids'
import { priceText } from '@/lib/web/price-words'
import type { PackView } from '@/lib/web/purchase-views'
import { newRequestId } from '@/lib/web/request-id'
import { Button } from './ui/button'

type Problem = Extract<
  Awaited<ReturnType<typeof buyCreditsAction>>,
  { ok: false }
>['refusal']['code']

type BuyButtonProps = {
  readonly pack: Pick<PackView, 'id' | 'amount' | 'currency'>
  /** Of a purchase that was begun before and can still be paid. */
  readonly requestId?: string
}

/** After these the same press may be made again, and stays the same purchase. */
const isUnanswered = (code: Problem | 'no-answer') => code === 'unanswered' || code === 'no-answer'

/** One press is one purchase: it keeps its id until it is known what became of it. */
export function BuyButton({ pack, requestId }: BuyButtonProps) {
  const t = useTranslations('credits.buy')
  const locale = useLocale()
  const noteId = useId()
  const [problem, setProblem] = useState<Problem | 'no-answer'>()
  const [isOpening, setOpening] = useState(false)
  const kept = useRef(RequestId.safeParse(requestId).data)

  // Whoever comes back by the browser's own button finds the page as they left it.
  useEffect(() => {
    const onShow = () => setOpening(false)
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])

  const buy = async () => {
    kept.current ??= newRequestId()
    setProblem(undefined)
    setOpening(true)
    const order = { requestId: kept.current, pack: pack.id }
    const answer = await buyCreditsAction(order).catch(
      () => ({ ok: false, refusal: { code: 'no-answer' } }) as const,
    )
    if (answer.ok) {
      window.location.assign(answer.value.url)
      return
    }
    setOpening(false)
    const { code } = answer.refusal
    if (!isUnanswered(code)) kept.current = undefined
    setProblem(code)
  }

  const price = priceText(pack.amount, pack.currency, locale)
  const words = requestId === undefined ? t('button', { price }) : t('goOn')
  return (
    <div>
      <Button
        variant="outline"
        onClick={() => void buy()}
        disabled={isOpening}
        focusableWhenDisabled
        aria-describedby={noteId}
      >
        {isOpening ? t('opening') : words}
      </Button>
      <p id={noteId} role="status" className="mt-1.5 text-sm text-safelight-ink empty:hidden">
        {problem && t(`problem.${problem}`)}
      </p>
    </div>
  )
}
