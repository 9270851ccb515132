import { currencyDigits, type Currency } from '@/lib/domain/pack'

/** "€5.00", "5,00 €", "￥500": an amount of the currency's smallest unit, as the reader's language writes it. */
export function priceText(amount: number, currency: Currency, locale: string): string {
  const digits = currencyDigits[currency]
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}
