import { createTranslator } from 'next-intl'
import type { Locale } from '@/lib/web/locales'
import type { Words } from '@/lib/web/message'
import { catalog } from '@/messages/catalog'

/** Says messages in one language, as the pages do. What cannot be said is thrown. */
export function wordsOf(locale: Locale): Words {
  const t = createTranslator({
    locale,
    messages: catalog[locale],
    onError: (error) => {
      throw error
    },
  })
  return ({ key, values }) => t(key, values)
}

type MoneyVocabulary = Readonly<
  Record<'onHold' | 'charged' | 'notCharged' | 'givenBack' | 'failed', RegExp>
>

/** How each language says what became of credits or of a free image: what a claim is known by. */
export const moneyVocabulary: Record<Locale, MoneyVocabulary> = {
  en: {
    onHold: /\b(is|are) on hold\b/,
    charged: /^Charged\b|^Used 1 free image/,
    notCharged: /\bnot charged\b/i,
    givenBack: /\bback by decision\b|nothing was charged/,
    failed: /fail|error/i,
  },
  de: {
    onHold: /\b(ist|sind) reserviert\b/,
    charged: /\d Credits? berechnet\.|^1 Gratisbild dieses Tages verbraucht/,
    notCharged: /\bnichts berechnet\b/,
    givenBack: /\baus Kulanz erstattet\b|ohne dass etwas berechnet wurde/,
    failed: /fehl|gescheitert/i,
  },
  ja: {
    onHold: /仮押さえしています/,
    charged: /クレジットを消費しました。$|無料枠 1 枚を使用しました。$/,
    notCharged: /消費していません/,
    givenBack: /特別対応で補填しました|^無料でお届けしました。$/,
    failed: /失敗|エラー/,
  },
}
