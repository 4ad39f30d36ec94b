/** The languages whose print is read. */
export const printLanguages = ['en', 'ar'] as const
export type PrintLanguage = (typeof printLanguages)[number]
