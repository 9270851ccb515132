/** Words that another language writes as English does. Whatever else is equal was forgotten. */
export const sameInEveryLanguage: Record<'de' | 'ja', readonly string[]> = {
  de: ['accountPage.profile.name'],
  ja: [],
}
