/** The words of chats that are saved as a file, by language. A language without a file does not compile. */
import type { Language } from '@atrium/contract/languages'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

export const exportLocales: Readonly<Record<Language, typeof en>> = { ar, en }
