/**
 * The body of a Word file as mammoth can take it: not too deep, not too large at once, text boxes, ruby and numbers where it
 * looks.
 */
import { ReadFault } from '../fault.ts'
import type { ParagraphNumbers } from './docx-numbering.ts'

/** mammoth goes down by recursion; real documents, tables in tables included, stay far above this. */
const mostNested = 400
/** mammoth needs some fifty times the size of what it reads. */
const pieceLength = 500_000

/**
 * The main part as one or more parts that say the same one after the other, cut between paragraphs and tables of the
 * outermost level. Throws ReadFault `too_complex`.
 */
export function* bodyPieces(xml: string, numbers: ParagraphNumbers): Generator<string> {
  const plain = (piece: string): string => withNumbers(withPlainRuby(withTextBoxes(piece)), numbers)
  const cuts = outermostEnds(xml)
  const start = xml.indexOf('>', xml.search(/<(\w+:)?body[\s>]/)) + 1
  const end = xml.lastIndexOf('</')
  const bodyEnd = xml.lastIndexOf('</', end - 1)
  if (cuts.length === 0 || start === 0 || bodyEnd < start) {
    yield plain(xml)
    return
  }
  let from = start
  for (const cut of [...cuts.filter((at) => at > start && at < bodyEnd), bodyEnd]) {
    if (cut - from < pieceLength && cut !== bodyEnd) continue
    yield plain(xml.slice(0, start) + xml.slice(from, cut) + xml.slice(bodyEnd))
    from = cut
  }
}

/** Throws ReadFault `too_complex`. */
export const checkNesting = (xml: string): void => {
  outermostEnds(xml)
}

/** Where elements end that stand right inside of the body, about one for each piece. Throws ReadFault `too_complex`. */
const outermostEnds = (xml: string): number[] => {
  const ends: number[] = []
  let depth = 0
  let last = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) {
    const next = xml.charCodeAt(at + 1)
    if (next === question || next === exclamation) continue
    const end = xml.indexOf('>', at)
    if (end < 0) break
    if (next === slash) {
      depth -= 1
      if (depth === insideBody && end - last >= pieceLength) {
        ends.push(end + 1)
        last = end
      }
    } else if (xml.charCodeAt(end - 1) !== slash) depth += 1
    if (depth > mostNested) throw new ReadFault('too_complex')
    at = end
  }
  return ends
}
const insideBody = 2
const slash = 0x2f
const question = 0x3f
const exclamation = 0x21

/**
 * mammoth reads text boxes in what Word writes for older programs. Programs that write for newer ones only get that
 * second form here.
 */
const withTextBoxes = (xml: string): string => {
  const open = '<mc:AlternateContent'
  const close = '</mc:AlternateContent>'
  const out: string[] = []
  let done = 0
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, done)) {
    const end = xml.indexOf(close, start)
    if (end < 0) break
    const block = xml.slice(start, end)
    out.push(xml.slice(done, end))
    if (!block.includes('<mc:Fallback')) {
      const from = block.indexOf('<w:txbxContent')
      const to = block.lastIndexOf('</w:txbxContent>')
      if (from >= 0 && to > from)
        out.push(`<mc:Fallback><w:pict>${block.slice(from, to)}</w:txbxContent></w:pict></mc:Fallback>`)
    }
    out.push(close)
    done = end + close.length
  }
  out.push(xml.slice(done))
  return out.join('')
}

/** mammoth knows no ruby (ECMA-376, part 1, 17.3.3.25): the base as it is, how it is read behind it in brackets. */
const withPlainRuby = (xml: string): string => {
  const [open, close] = ['<w:ruby>', '</w:ruby>']
  const out: string[] = []
  let done = 0
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, done)) {
    const end = xml.indexOf(close, start)
    if (end < 0) break
    const block = xml.slice(start, end)
    const [base, reading] = [insideOf(block, 'rubyBase'), insideOf(block, 'rt')]
    const said = reading === '' ? '' : `<w:r><w:t xml:space="preserve"> (</w:t></w:r>${reading}<w:r><w:t>)</w:t></w:r>`
    // Ruby stands in a run and holds runs.
    out.push(xml.slice(done, start), `</w:r>${base}${said}<w:r>`)
    done = end + close.length
  }
  out.push(xml.slice(done))
  return out.join('')
}

const insideOf = (block: string, name: string): string => {
  const from = block.indexOf(`<w:${name}>`)
  const to = block.indexOf(`</w:${name}>`, from)
  return from < 0 || to < 0 ? '' : block.slice(from + name.length + 4, to)
}

/** The style of paragraphs that have their number in their text. */
export const numberedStyle = 'AtriumNumbered'

/** Numbers as text at the start of their paragraphs, which are then in no list: mammoth would count them anew. */
const withNumbers = (xml: string, { count, keepsStyle }: ParagraphNumbers): string => {
  const out: string[] = []
  let done = 0
  /** Paragraphs whose marks were deleted: mammoth sets what they say before the next one, and its number goes before that. */
  let joined: { readonly at: number; open: boolean } | null = null
  const next = /<mc:Choice[\s>]|<w:pPr>|<\/w:p>|<w:p(?:\s[^<>]*)?\/>/g
  for (let found = next.exec(xml); found; found = next.exec(xml)) {
    if (found[0].includes('w:p') && found[0] !== '<w:pPr>') {
      if (joined?.open) joined.open = false
      else joined = null
      continue
    }
    if (found[0] !== '<w:pPr>') {
      // mammoth takes the other form of what stands there.
      const end = xml.indexOf('</mc:Choice>', found.index)
      if (end < 0) break
      next.lastIndex = end
      continue
    }
    const end = endOfProperties(xml, next.lastIndex)
    if (end < 0) break
    next.lastIndex = end
    const own = xml.slice(found.index, end).split('<w:pPrChange')[0] ?? ''
    const style = /<w:pStyle w:val="([^"]*)"/.exec(own)?.[1] ?? null
    const list = /<w:numId w:val="(\d+)"/.exec(own)?.[1] ?? null
    const plain = list === null && style === null
    const markFrom = own.indexOf('<w:rPr>')
    const mark = markFrom < 0 ? '' : own.slice(markFrom)
    if (/<w:del[\s/]/.test(mark) || (!plain && /<w:moveFrom[\s/]/.test(mark))) {
      // mammoth knows no paragraphs that were moved away, and would count what is left of them.
      out.push(xml.slice(done, found.index), '<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>', '')
      done = end
      joined = { at: joined && !joined.open ? joined.at : out.length - 1, open: true }
      continue
    }
    const before: number | null = joined && !joined.open ? joined.at : null
    if (before !== null) joined = null
    if (plain) continue
    const number = count({ list, level: /<w:ilvl w:val="(\d+)"/.exec(own)?.[1] ?? null, style })
    if (number === null) continue
    const kept = style !== null && (number === '' || keepsStyle(style)) ? style : numberedStyle
    out.push(
      xml.slice(done, found.index),
      `<w:pPr><w:pStyle w:val="${kept}"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr></w:pPr>`,
      '',
    )
    if (number !== '') out[before ?? out.length - 1] = `<w:r><w:t xml:space="preserve">${escaped(number)} </w:t></w:r>`
    done = end
  }
  out.push(xml.slice(done))
  return out.join('')
}

/** Behind the end of properties of a paragraph; what they were before a change is held in them. */
const endOfProperties = (xml: string, from: number): number => {
  let open = 1
  const tag = /<(\/?)w:pPr>/g
  tag.lastIndex = from
  for (let found = tag.exec(xml); found; found = tag.exec(xml)) {
    open += found[1] === '' ? 1 : -1
    if (open === 0) return tag.lastIndex
  }
  return -1
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
