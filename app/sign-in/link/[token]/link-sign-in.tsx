'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSignInWords } from '@/app/sign-in/use-sign-in-words'
import { Button } from '@/components/ui/button'
import { signInByEmailedLink } from '@/lib/auth/client'
import { useHydrated } from '@/lib/web/use-hydrated'

export function LinkSignIn({ token }: { readonly token: string }) {
  const t = useTranslations('signIn')
  const say = useSignInWords()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const press = async () => {
    setBusy(true)
    const answer = await signInByEmailedLink(token).catch(
      () => ({ ok: false, code: 'no-answer' }) as const,
    )
    // A full page load: nothing of whoever used this tab before stays in it.
    if (answer.ok) window.location.assign('/studio')
    else {
      setProblem(answer.code === 'wrong' ? t('link.overLead') : say(answer))
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        size="large"
        focusableWhenDisabled
        disabled={!isHydrated || isBusy}
        onClick={() => void press()}
      >
        {isBusy ? t('signingIn') : t('link.press')}
      </Button>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-safelight-ink">
          {problem}
        </p>
      )}
    </div>
  )
}
