/** Whether names look alike, by Unicode Technical Standard 39. Pure. */
import { plainName } from '../rules.ts'
import table from './confusables.json' with { type: 'json' }

/** Changes with the table or the way below: what was kept by another version is made anew. */
export const skeletonVersion = 'unicode-17'

const prototypes = new Map(
  Object.entries(table.alike).flatMap(([prototype, alike]) => Array.from(alike, (sign) => [sign, prototype] as const)),
)

/**
 * The skeletons of a name (UTS 39, section 4): names that have one in common look alike. There are two, as a name is
 * shown with its capitals and compared without them: `AIice` looks like `alice`, and so does `ALİCE`.
 */
export const skeletonsOf = (name: string): string[] => [
  ...new Set([skeleton(plainName(name)), skeleton(name.normalize('NFKC').trim())]),
]

/** Twice, as a prototype may be a capital, whose small letter looks like another sign again: `0`, `O`, `o`. */
const skeleton = (name: string): string => dotless(replaced(replaced(name).toLowerCase()))

const replaced = (name: string): string =>
  Array.from(
    // Signs that show nothing, such as the fillers of Hangul, are letters as well.
    name.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
    (sign) => prototypes.get(sign) ?? sign,
  )
    .join('')
    .normalize('NFD')

/** Beside the table: an `i` or `j` has its dot already, and `ȷ` is one that lost it. */
const dotless = (name: string): string => name.replaceAll('ȷ', 'j').replace(/(?<=[ij]\p{M}*)\u0307/gu, '')

/** The scripts that are written today (Unicode Standard Annex 31, table 5). All others count as one. */
const scripts =
  'Latin Greek Cyrillic Armenian Hebrew Arabic Bengali Bopomofo Devanagari Ethiopic Georgian Gujarati Gurmukhi Han Hangul Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'.split(
    ' ',
  )
/** Scripts that are written together, with Latin words among them: Japanese, Chinese, Korean. */
const together = ['Han Hiragana Katakana Latin', 'Han Bopomofo Latin', 'Han Hangul Latin']

const signsOf = (names: readonly string[]): string => names.map((name) => `\\p{Script_Extensions=${name}}`).join('')
const ofAll = signsOf(['Common', 'Inherited'])
const oneScript: readonly RegExp[] = [
  ...[...scripts, ...together].map((names) => new RegExp(`^[${ofAll}${signsOf(names.split(' '))}]*$`, 'u')),
  new RegExp(`^(?:[${ofAll}]|[^${signsOf(scripts)}])*$`, 'u'),
]

/** Whether all letters of a name are of one script, or of those that are written together: "highly restrictive", UTS 39, section 5.2. */
export const isOneScript = (name: string): boolean => {
  const normal = name.normalize('NFKC')
  return oneScript.some((pattern) => pattern.test(normal))
}
