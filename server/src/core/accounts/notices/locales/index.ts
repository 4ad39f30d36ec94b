/** The texts of mails by language. A language without a file does not compile. */
import type { Language } from '@atrium/contract/languages'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

export const mailLocales: Readonly<Record<Language, unknown>> = { ar, en }
