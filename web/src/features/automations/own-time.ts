/** The zone and the language in which the reader is told of times. */
import { useLanguage } from '../../lib/texts.ts'

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const useOwnTime = (): { readonly zone: string; readonly language: string } => ({
  zone: ownZone(),
  language: useLanguage(),
})
