/**
 * How much a text would ask of the page if it were drawn as Markdown. An answer can hold anything, 50,000 tags as well:
 * beyond these bounds it is shown as plain text, which every browser draws quickly. Pure, and linear in what is new.
 */
export interface RenderingCost {
  /** All whole lines up to here are counted. */
  readonly offset: number
  readonly counts: Counts
  /** Within a fence of code; its characters, or null. */
  readonly fence: string | null
  /** Marks in the block that is not at its end yet. */
  readonly unit: number
  /** Too much, whatever follows. */
  readonly heavy: boolean
}

type Counts = Readonly<Record<keyof typeof most, number>>

/** Each took well below a second to draw on a slow machine; what people and models write stays far below. */
const most = {
  /** Characters: half a million are some 150 pages. */
  characters: 500_000,
  /** HTML tags, each of which becomes an element. */
  tags: 2_000,
  /** `$`, `\(` and `\[`: formulas have dozens of elements each. */
  formulas: 2_000,
  /** Cells of tables. */
  cells: 20_000,
  /** Addresses, each of which becomes a link. */
  links: 3_000,
  pictures: 300,
  diagrams: 40,
  /** Lines that begin an item, a heading or a block. */
  blocks: 10_000,
  /** All delimiters of emphasis, code, brackets and quotations. */
  marks: 30_000,
}
/** Delimiters in one paragraph or item: finding their pairs takes time by the square of their number. */
const mostInUnit = 2_000
/** Levels of quotations and lists that begin in one line, and how far an item may be indented. */
const deepest = 30
const widestIndent = 120

const none: RenderingCost = {
  offset: 0,
  counts: { characters: 0, tags: 0, formulas: 0, cells: 0, links: 0, pictures: 0, diagrams: 0, blocks: 0, marks: 0 },
  fence: null,
  unit: 0,
  heavy: false,
}

/** Weighs a text; `before` is what was found of its beginning, where the text only grew. */
export function measureCost(text: string, before: RenderingCost | null): RenderingCost {
  let now = before ?? none
  for (let end = text.indexOf('\n', now.offset); end >= 0 && !now.heavy; end = text.indexOf('\n', now.offset))
    now = withLine(now, text.slice(now.offset, end), end + 1)
  return now.heavy
    ? now
    : { ...now, heavy: text.length > most.characters || withLine(now, text.slice(now.offset), 0).heavy }
}

function withLine(state: RenderingCost, line: string, offset: number): RenderingCost {
  const opening = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null
  if (state.fence !== null) {
    const closes = opening !== null && opening.startsWith(state.fence) && line.trim() === opening
    return { ...state, offset, fence: closes ? null : state.fence }
  }
  if (opening !== null) {
    const diagrams = state.counts.diagrams + (/mermaid/i.test(line) ? 1 : 0)
    const counts = { ...state.counts, diagrams, blocks: state.counts.blocks + 1 }
    return { ...state, offset, unit: 0, counts, fence: opening, heavy: overAny(counts) }
  }
  const head = line.slice(0, 400)
  const begins = /^\s*(?:[-*+>|#]|\d{1,9}[.)])/.test(head)
  const marks = count(line, /[_*~`[\]<>!\\$]/g)
  const unit = line.trim() === '' ? 0 : (begins ? 0 : state.unit) + marks
  const counts = {
    characters: 0,
    tags: state.counts.tags + count(line, /<[a-z/!?]/gi),
    formulas: state.counts.formulas + count(line, /\$|\\[([]/g) / 2,
    cells: state.counts.cells + count(line, /\|/g),
    links: state.counts.links + count(line, /:\/\/|www\.|\]\(|[^\s@]@[^\s@]/gi),
    pictures: state.counts.pictures + count(line, /!\[/g),
    diagrams: state.counts.diagrams,
    blocks: state.counts.blocks + (begins || line.trim() === '' ? 1 : 0),
    marks: state.counts.marks + marks,
  }
  const deep = nested.test(head) || (begins && /^\s*/.exec(line)![0].length > widestIndent)
  return { offset, counts, fence: null, unit, heavy: state.heavy || unit > mostInUnit || deep || overAny(counts) }
}

const nested = new RegExp(`^(?:\\s*(?:[-*+>]|\\d{1,9}[.)])(?=[\\s>]|$)|>){${deepest},}`)

const overAny = (counts: Counts): boolean =>
  (Object.keys(most) as (keyof typeof most)[]).some((name) => counts[name] > most[name])

function count(line: string, what: RegExp): number {
  let found = 0
  for (what.lastIndex = 0; what.test(line); ) found++
  return found
}
