/** What can stand behind the operators of the search, and which of it fits what is being typed. Pure. */
import { foldTag } from '@atrium/contract/tag-name'
import { matchesQuery } from '../../lib/match.ts'

/** The values of an account, by operator. */
export type OperatorValues = Readonly<Record<string, readonly string[]>>

/** The values that are the same for everybody. */
export const fixedValues = {
  in: ['chats', 'documents', 'gallery', 'artifacts', 'calendar', 'channels'],
  from: ['me', 'model'],
  has: ['attachment', 'document', 'code', 'source', 'image', 'video', 'audio', 'link', 'file', 'pin', 'thread'],
  is: ['pinned', 'shared', 'archived', 'mention'],
} as const

const most = 8

/** An operator with its value, in quotation marks where that has spaces. Those of the value itself are left out. */
export const operatorOf = (name: string, value: string): string => {
  const bare = withoutQuotes(value)
  return `${name}:${/\s/.test(bare) ? `"${bare}"` : bare}`
}

const withoutQuotes = (value: string): string => value.replaceAll('"', '')

/** The operator at the end of what is typed, with what stands before it; null where another word stands there. */
export function operatorAtEnd(typed: string): { before: string; name: string; value: string } | null {
  const [, before = '', name = '', quoted, plain = ''] =
    /^((?:.*\s)?)(\p{L}+):(?:"([^"]*)|([^\s"]*))$/su.exec(typed) ?? []
  return name === '' ? null : { before, name: name.toLowerCase(), value: quoted ?? plain }
}

/** What could stand at the end of what is typed: all of the search as it would be then, and the operator with its value. */
export function suggestOperators(typed: string, values: OperatorValues): { search: string; operator: string }[] {
  const end = operatorAtEnd(typed)
  if (!end) return []
  const { before, name, value } = end
  const fold = (text: string) => text.normalize('NFKC').toLowerCase()
  const fitting = (values[name] ?? []).map(withoutQuotes).filter((known) => matchesQuery(value, known))
  // What begins so first; what is there already is no suggestion.
  const begins = (known: string) => (fold(known).startsWith(fold(value)) ? 0 : 1)
  return fitting
    .filter((known) => fold(known) !== fold(value))
    .toSorted((one, other) => begins(one) - begins(other))
    .slice(0, most)
    .map((known) => {
      const operator = operatorOf(name, known)
      return { search: `${before}${operator} `, operator }
    })
}

/** The tags of a search that the account does not have, as they were typed. */
export const unknownTags = (typed: string, tags: readonly string[]): string[] => {
  const known = new Set(tags.map(foldTag))
  return [...typed.matchAll(/(?:^|\s)tag:(?:"([^"]*)"|(\S+))/giu)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .filter((name) => foldTag(name) !== '' && !known.has(foldTag(name)))
}
