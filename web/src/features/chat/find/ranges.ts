/** Where words stand in what is on screen of a message. */
import { toFindForm, toFindFormWithPlaces } from '@atrium/contract/find-form'

/** The places of the words in the text of a message, in reading order. */
export function findRanges(message: Element, words: string): Range[] {
  const wanted = toFindForm(words)
  if (wanted.trim() === '') return []
  return [...message.querySelectorAll('.markdown')]
    .filter((body) => !body.parentElement?.closest('.markdown'))
    .flatMap((body) => rangesIn(body, wanted))
}

/** The element of a message, where its row is in the page. */
export const messageElement = (messageId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)

function rangesIn(body: Element, wanted: string): Range[] {
  const nodes: { node: Text; start: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest('button, .sr-only, [aria-hidden="true"]')) continue
    // Blocks are apart on screen, where their texts follow each other without a blank.
    if (text !== '' && startsBlock(node, nodes.at(-1)?.node)) text += '\n'
    nodes.push({ node, start: text.length })
    text += node.data
  }
  const { form, places } = toFindFormWithPlaces(text)
  const ranges: Range[] = []
  for (let at = form.indexOf(wanted); at >= 0; at = form.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange()
    const from = pointAt(nodes, places[at] ?? 0)
    const to = pointAt(nodes, places[at + wanted.length - 1] ?? 0)
    if (!from || !to) continue
    range.setStart(from.node, from.offset)
    // A sign of two halves ends behind both.
    range.setEnd(to.node, Math.min(to.node.length, to.offset + lengthAt(to.node.data, to.offset)))
    ranges.push(range)
  }
  return ranges
}

const blocks = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, div'

const startsBlock = (node: Text, before: Text | undefined): boolean =>
  node.parentElement?.closest(blocks) !== before?.parentElement?.closest(blocks)

function pointAt(nodes: readonly { node: Text; start: number }[], place: number) {
  const found = nodes.findLast(({ start }) => start <= place)
  return found && { node: found.node, offset: Math.min(found.node.length, place - found.start) }
}

const lengthAt = (text: string, offset: number): number => ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)
