/** The words of push messages, by language. A language without a file does not compile. */
import type { Language } from '@atrium/contract/languages'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

export const pushLocales: Readonly<Record<Language, typeof en>> = { ar, en }
