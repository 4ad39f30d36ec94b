/** Names, times and sources of a chat that is saved as a file, in the language of whoever saves it. Pure. */
import { defaultLanguage, type Language } from '@atrium/contract/languages'
import type { Source } from '@atrium/contract/generation'
import { toIsoTime } from '../../platform/iso-time.ts'
import { exportLocales } from './locales/index.ts'
import { type MessageContent, textToSelection } from './stores/rows.ts'
import type { MessageRow } from './tables.ts'

export interface ExportWords {
  readonly language: Language
  /** Who said a message: the person, or the model by its name. */
  nameOf(row: Pick<MessageRow, 'role' | 'selection'>): string
  timeOf(ms: number): string
  /** The line that names its tags. */
  tagged(tags: readonly string[]): string
  /** What a source is called, with the place of the passage in it. */
  titleOf(source: Source): string
}

/** Without a time zone, as programs ask, times are in UTC (ISO 8601). */
export const exportWords = ({
  language = defaultLanguage,
  timeZone,
}: {
  readonly language?: Language | undefined
  readonly timeZone?: string | undefined
} = {}): ExportWords => {
  const words = exportLocales[language]
  const times = timeZone && new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const lists = new Intl.ListFormat(language, { type: 'unit' })
  const numbers = new Intl.NumberFormat(language)
  const placeOf = ({ location, section }: Source): string | null =>
    location?.number && (location.kind === 'page' || location.kind === 'slide')
      ? words[location.kind].replace('{number}', numbers.format(location.number))
      : location?.label || section
  return {
    language,
    nameOf: ({ role, selection }) => (role === 'user' ? words.you : (textToSelection(selection)?.model ?? words.model)),
    timeOf: (ms) => (times ? times.format(ms) : toIsoTime(ms)),
    tagged: (tags) => words.tags.replace('{names}', () => lists.format(tags)),
    titleOf: (source) => [source.name, placeOf(source)].filter(Boolean).join(', '),
  }
}

/** The sources that an answer names, in their order; of older answers all, as nobody knows which. */
export const citedSources = ({ sources }: Pick<MessageContent, 'sources'>): (Source & { readonly number: number })[] =>
  sources
    .filter(({ cited }) => cited !== false)
    .map((source, index) => Object.assign({}, source, { number: source.number ?? index + 1 }))

/** The address of a source on the web; null where it is none that a browser opens. */
export const webAddressOf = ({ url }: Pick<Source, 'url'>): string | null =>
  url !== undefined && /^https?:\/\//i.test(url) ? url : null
