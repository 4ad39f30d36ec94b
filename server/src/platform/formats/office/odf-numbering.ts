/** The numbers of list items and headings in OpenDocument, as they are shown (ODF 1.3, part 3, 5.3 and 16.30). */
import { childrenOf, type Element } from '../xml.ts'
import { inFormat } from './number-words.ts'

interface Level {
  readonly format: string | null
  readonly prefix: string
  readonly suffix: string
  /** How many levels are shown, this one included. */
  readonly shown: number
  readonly start: number
}
type Levels = ReadonlyMap<number, Level>

export interface ListStyles {
  readonly lists: ReadonlyMap<string, Levels>
  /** Of headings that are in no list. */
  readonly outline: Levels
}

export const listStylesOf = (...groups: readonly (Element | undefined)[]): ListStyles => {
  const styles = groups.flatMap((group) => childrenOf(group, 'list-style'))
  const outline = groups.flatMap((group) => childrenOf(group, 'outline-style'))[0]
  return {
    lists: new Map(styles.map((style) => [style.attributes['name'] ?? '', levelsOf(style)])),
    outline: outline ? levelsOf(outline) : new Map(),
  }
}

const levelsOf = (style: Element): Levels =>
  new Map(
    style.children.flatMap(({ name, attributes }) => {
      if (!/^(list-level-style-(number|bullet)|outline-level-style)$/.test(name)) return []
      const format = formats[attributes['num-format'] ?? ''] ?? null
      const level: Level = {
        format: name === 'list-level-style-bullet' ? null : format,
        prefix: attributes['num-prefix'] ?? '',
        suffix: attributes['num-suffix'] ?? '',
        shown: levelIn(attributes['display-levels']),
        start: Number(attributes['start-value'] ?? 1),
      }
      return [[levelIn(attributes['level']), level] as const]
    }),
  )
const mostLevels = 10
const levelIn = (value: string | undefined): number => Math.min(mostLevels, Math.max(1, Math.trunc(Number(value)) || 1))
const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

/** The same body, with the number of each item and heading at its start. */
export const withNumbers = (body: Element, { lists, outline }: ListStyles): Element => {
  const counts = new Map<Levels, number[]>()
  const next = (levels: Levels, at: number, start: string | undefined): string => {
    const count = counts.get(levels) ?? []
    counts.set(levels, count)
    const level = levels.get(at)
    count[at] = start === undefined ? (count[at] ?? (level?.start ?? 1) - 1) + 1 : Number(start)
    count.length = at + 1
    if (!level || level.format === null) return ''
    const shown = Array.from({ length: Math.min(level.shown, at) }, (_, index) => at - index).toReversed()
    const said = shown.flatMap((one) => {
      const { format, start: first } = levels.get(one) ?? level
      return format === null ? [] : [inFormat(count[one] ?? first, format)]
    })
    return `${level.prefix}${said.join('.')}${level.suffix} `
  }
  const numbered = (element: Element, number: string): Element =>
    number === ''
      ? element
      : { ...element, children: [{ name: '#text', attributes: {}, children: [], text: number }, ...element.children] }

  /** `within`: whether the list around it goes on, and has counted nothing in this item: only that one says so. */
  const inList = (list: Element, outer: Levels | undefined, depth: number, within = false): Element => {
    const levels = lists.get(list.attributes['style-name'] ?? '') ?? outer
    const { 'continue-numbering': numbering, 'continue-list': other } = list.attributes
    const goesOn = within || numbering === 'true' || other !== undefined
    const count = levels && counts.get(levels)
    if (count && !goesOn) count.length = Math.min(count.length, depth)
    return {
      ...list,
      children: list.children.map((item) => {
        let first = item.name === 'list-item'
        return {
          ...item,
          children: item.children.map((child) => {
            if (child.name === 'list') return inList(child, levels, depth + 1, goesOn && first)
            const counted = first && levels !== undefined && (child.name === 'p' || child.name === 'h')
            if (!counted) return walk(child)
            first = false
            return numbered(child, next(levels, depth, item.attributes['start-value']))
          }),
        }
      }),
    }
  }
  const walk = (element: Element): Element => {
    // What was deleted has no number any more.
    if (element.name === 'tracked-changes') return element
    if (element.name === 'list') return inList(element, undefined, 1)
    if (element.name === 'h' && element.attributes['is-list-header'] !== 'true')
      return numbered(
        element,
        next(
          outline,
          levelIn(element.attributes['outline-level']),
          element.attributes['restart-numbering'] === 'true' ? (element.attributes['start-value'] ?? '1') : undefined,
        ),
      )
    return element.name === 'p' || element.children.length === 0
      ? element
      : { ...element, children: element.children.map(walk) }
  }
  return walk(body)
}
