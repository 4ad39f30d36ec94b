/** What is read aloud of something on the page, sentence by sentence. */

/** One sentence, with where it stands on the page; null where that is gone or it is ours. */
export interface Sentence {
  readonly text: string
  readonly range: StaticRange | null
}

/** What stands in the place of what is not read: code, tables, formulas, pictures. */
export interface SkipWords {
  readonly code: string
  readonly table: string
}

/** Longer ones are cut at a space: a voice begins sooner, and none is asked for more than it reads. */
const longest = 400
const blocks = 'P,LI,H1,H2,H3,H4,H5,H6,BLOCKQUOTE,DT,DD,FIGCAPTION'
const left = 'button,sup,svg,.katex,[aria-hidden="true"],[data-actions],.sr-only'

/** Text on the page as sentences, with code and tables told in a word. */
export function sentencesIn(root: Element, words: SkipWords): Sentence[] {
  const found: Sentence[] = []
  const visit = (element: Element): void => {
    if (element.matches(left)) return
    if (element.tagName === 'PRE') return void found.push({ text: words.code, range: null })
    if (element.tagName === 'TABLE') return void found.push({ text: words.table, range: null })
    if (element.matches(blocks) && !element.querySelector(`${blocks},PRE,TABLE`)) return readBlock(element, found)
    for (const child of element.childNodes) {
      if (child instanceof Element) visit(child)
      else if (child instanceof Text && child.data.trim()) readNodes([child], found)
    }
  }
  visit(root)
  return found
}

/** Nobody listens to more at one time; hours of it are cut in a moment. */
const mostRead = 300_000

/** A text that stands nowhere on the page as a whole, such as that of a long document. */
export function sentencesOf(text: string): Sentence[] {
  // A line ends where a page was full, and a sentence goes on.
  const read = text.slice(0, mostRead).replace(/(?<!\n)\n(?!\n)/g, ' ')
  return cutSentences(read).map(({ start, end }) => ({
    text: read.slice(start, end).replace(/\s+/g, ' ').trim(),
    range: null,
  }))
}

function readBlock(block: Element, found: Sentence[]): void {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (!node.parentElement?.closest(left)) nodes.push(node)
  }
  readNodes(nodes, found)
}

function readNodes(nodes: readonly Text[], found: Sentence[]): void {
  const text = nodes.map(({ data }) => data).join('')
  for (const { start, end } of cutSentences(text)) {
    const from = placeIn(nodes, start)
    const to = placeIn(nodes, end)
    const range =
      from && to
        ? new StaticRange({ startContainer: from.node, startOffset: from.at, endContainer: to.node, endOffset: to.at })
        : null
    found.push({ text: text.slice(start, end).replace(/\s+/g, ' ').trim(), range })
  }
}

function placeIn(nodes: readonly Text[], offset: number): { node: Text; at: number } | null {
  let rest = offset
  for (const node of nodes) {
    if (rest <= node.length) return { node, at: rest }
    rest -= node.length
  }
  return null
}

/** Where the sentences of a text begin and end, none longer than `most` characters; blank ones are left out. */
export function cutSentences(text: string, most = longest): { start: number; end: number }[] {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return [...sentences.segment(text)].flatMap(({ segment, index }) => cutLong(segment, index, most))
}

function cutLong(sentence: string, offset: number, most: number): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = []
  for (let at = 0; at < sentence.length; ) {
    const space = sentence.length - at > most ? sentence.lastIndexOf(' ', at + most) : -1
    const end = sentence.length - at <= most ? sentence.length : space > at ? space + 1 : at + most
    if (sentence.slice(at, end).trim()) pieces.push({ start: offset + at, end: offset + end })
    at = end
  }
  return pieces
}

/** The language that a text is probably written in, by its script; null: the reader's own, or any in Latin letters. */
export function languageOf(text: string): string | null {
  for (const [script, language] of scripts) if (script.test(text)) return language
  return null
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
]
