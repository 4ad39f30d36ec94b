/** What is said of notifications outside of the pages, by language. A language without a file does not compile. */
import type { Language } from '@atrium/contract/languages'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

export const deliveryLocales: Readonly<Record<Language, typeof en>> = { ar, en }
