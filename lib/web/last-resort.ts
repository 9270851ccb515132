import type { Locale } from './locales'

type Words = Readonly<Record<'title' | 'text' | 'number' | 'again' | 'toStudio', string>>

/** What is said when nothing else can be: the messages of `common.error`, written out. A test holds them equal. */
export const lastResort: Record<Locale, Words> = {
  en: {
    title: 'This page could not be made',
    text: 'The fault is ours. Pictures that are under way go on, nothing is made twice, and your credits are where they were.',
    number: 'If it stays, name this number: {number}.',
    again: 'Try again',
    toStudio: 'Go to the studio',
  },
  de: {
    title: 'Diese Seite ließ sich nicht erstellen',
    text: 'Der Fehler liegt bei uns. Bilder in Arbeit laufen weiter, nichts wird doppelt erzeugt, und Ihre Credits sind, wo sie waren.',
    number: 'Wenn es so bleibt, nennen Sie diese Nummer: {number}.',
    again: 'Noch einmal versuchen',
    toStudio: 'Zum Studio',
  },
  ja: {
    title: 'ページを表示できませんでした',
    text: 'こちら側の問題です。処理中の画像はそのまま進み、二重に作成されることはなく、クレジットもそのままです。',
    number: '解決しない場合は、この番号をお知らせください：{number}',
    again: 'もう一度試す',
    toStudio: 'スタジオへ',
  },
}
