/**
 * The numbers of paragraphs in Word, as they are shown (ECMA-376, part 1, 17.9). A file holds only the rules by which they
 * are counted, and people ask for "clause 4.2".
 */
import { childOf, childrenOf, type Element } from '../xml.ts'
import { inFormat } from './number-words.ts'

export interface NumberedParagraph {
  /** null where the paragraph itself says nothing and its style decides. */
  readonly list: string | null
  readonly level: string | null
  readonly style: string | null
}

export interface ParagraphNumbers {
  /** What stands before a paragraph, asked in the order of the text; null where that is a bullet or nothing. */
  count(paragraph: NumberedParagraph): string | null
  /** Whether a style says more of a paragraph than that it has a number. */
  keepsStyle(style: string): boolean
}

interface Level {
  readonly format: string
  /** With `%1` for the number of the outermost level. */
  readonly text: string
  readonly start: number
  /** The level whose next number makes this one start again; 0: none does. */
  readonly restart: number
  readonly plain: boolean
}
interface List {
  /** Lists of one kind are counted together. */
  readonly kind: string
  readonly levels: ReadonlyMap<number, Level>
  readonly starts: ReadonlyMap<number, number>
}

/** `numbering` and `styles`: the parts of those names, or null. */
export const paragraphNumbers = (numbering: Element | null, styles: Element | null): ParagraphNumbers => {
  const styleLists = listsOfStyles(styles)
  const lists = listsOf(numbering, styleLists)
  const levelsOfStyles = new Map<string, number>()
  for (const kind of childrenOf(numbering?.children[0], 'abstractNum'))
    for (const level of childrenOf(kind, 'lvl')) {
      const style = valueOf(level, 'pStyle')
      if (style !== null) levelsOfStyles.set(style, Number(level.attributes['ilvl'] ?? 0))
    }
  const counts = new Map<string, (number | undefined)[]>()
  const begun = new Set<string>()
  const headings = headingStyles(styles)

  const count = ({ list: own, level: ownLevel, style }: NumberedParagraph): string | null => {
    const styled = style === null ? undefined : styleLists.get(style)
    const id = own ?? styled?.list ?? ''
    const list = lists.get(id)
    if (!list) return null
    const at = Number(ownLevel ?? styled?.level ?? levelsOfStyles.get(style ?? '') ?? 0)
    const level = list.levels.get(at)
    if (!level || level.format === 'bullet') return null
    const numbers = counts.get(list.kind) ?? []
    counts.set(list.kind, numbers)
    const override = list.starts.get(at)
    const first = override !== undefined && !begun.has(`${id} ${at}`)
    begun.add(`${id} ${at}`)
    const before = numbers[at]
    numbers[at] = first ? override : before === undefined ? level.start : before + 1
    for (const [deeper, { restart }] of list.levels)
      if (deeper > at && restart !== 0 && at < restart) numbers[deeper] = undefined
    return level.text.replace(/%([1-9])/g, (_whole, digit: string) => {
      const one = Number(digit) - 1
      const shown = list.levels.get(one)
      if (!shown) return ''
      numbers[one] ??= shown.start
      return inFormat(numbers[one], level.plain ? 'decimal' : shown.format)
    })
  }
  return { count, keepsStyle: (style) => headings.has(style) }
}

const listsOf = (numbering: Element | null, styleLists: StyleLists): Map<string, List> => {
  const root = numbering?.children[0]
  const kinds = new Map(childrenOf(root, 'abstractNum').map((kind) => [kind.attributes['abstractNumId'] ?? '', kind]))
  const nums = new Map(childrenOf(root, 'num').map((num) => [num.attributes['numId'] ?? '', num]))
  const kindOf = (num: Element | undefined, depth = 0): Element | undefined => {
    const kind = kinds.get(valueOf(num, 'abstractNumId') ?? '')
    const link = valueOf(kind, 'numStyleLink')
    const linked = link === null || depth > 10 ? null : (styleLists.get(link)?.list ?? null)
    return linked === null ? kind : kindOf(nums.get(linked), depth + 1)
  }
  const lists = new Map<string, List>()
  for (const [id, num] of nums) {
    const kind = kindOf(num)
    if (!kind) continue
    const levels = new Map(childrenOf(kind, 'lvl').map(levelOf))
    const starts = new Map<number, number>()
    for (const override of childrenOf(num, 'lvlOverride')) {
      const at = Number(override.attributes['ilvl'] ?? 0)
      const start = valueOf(override, 'startOverride')
      if (start !== null) starts.set(at, Number(start) || 0)
      for (const level of childrenOf(override, 'lvl')) levels.set(...levelOf(level))
    }
    lists.set(id, { kind: kind.attributes['abstractNumId'] ?? '', levels, starts })
  }
  return lists
}

const levelOf = (level: Element): [number, Level] => {
  const at = Number(level.attributes['ilvl'] ?? 0)
  return [
    at,
    {
      format: valueOf(level, 'numFmt') ?? 'decimal',
      text: valueOf(level, 'lvlText') ?? '',
      start: Number(valueOf(level, 'start') ?? 0) || 0,
      restart: Number(valueOf(level, 'lvlRestart') ?? at),
      plain: isOn(childOf(level, 'isLgl')),
    },
  ]
}

type StyleLists = ReadonlyMap<string, { readonly list: string | null; readonly level: string | null }>

/** The lists that styles put their paragraphs in, those of the styles that they are based on included. */
const listsOfStyles = (styles: Element | null): StyleLists => {
  const byId = new Map(
    childrenOf(styles?.children[0], 'style').map((style) => [style.attributes['styleId'] ?? '', style]),
  )
  const find = (id: string, depth = 0): { list: string | null; level: string | null } => {
    const style = byId.get(id)
    if (!style || depth > 20) return { list: null, level: null }
    const own = childOf(style, 'pPr', 'numPr')
    const [list, level] = [valueOf(own, 'numId'), valueOf(own, 'ilvl')]
    if (list !== null) return { list, level }
    const inherited = find(valueOf(style, 'basedOn') ?? '', depth + 1)
    return { list: inherited.list, level: level ?? inherited.level }
  }
  return new Map([...byId.keys()].map((id) => [id, find(id)]))
}

const headingStyles = (styles: Element | null): ReadonlySet<string> =>
  new Set(
    childrenOf(styles?.children[0], 'style').flatMap((style) =>
      /^(heading [1-6]|title)$/i.test(valueOf(style, 'name') ?? '') ? [style.attributes['styleId'] ?? ''] : [],
    ),
  )

const valueOf = (element: Element | undefined, name: string): string | null =>
  childOf(element, name)?.attributes['val'] ?? null
const isOn = (flag: Element | undefined): boolean =>
  flag !== undefined && !['0', 'false', 'off'].includes(flag.attributes['val'] ?? '1')
