/** Cuts plain text or Markdown into passages that can be quoted, each with the heading that it stands under. */

export interface Passage {
  readonly section: string | null
  readonly text: string
}

/** A quotation longer than this is hard to read; it is cut between sentences where there is a place for it. */
const maxLength = 1200

export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  let section: string | null = null
  let block: string[] = []
  let fence: string | null = null

  const close = (): void => {
    const whole = block.join('\n').trimEnd().replace(/^\n+/, '')
    block = []
    if (/[\p{L}\p{N}]/u.test(whole)) passages.push(...cut(whole).map((piece) => ({ section, text: piece })))
  }
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const mark: string | undefined = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      block.push(line)
      if (mark?.startsWith(fence)) fence = null
      continue
    }
    const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1]
    if (heading !== undefined) {
      close()
      section = heading.slice(0, 200)
    } else if (line.trim() === '') {
      close()
    } else {
      if (mark) fence = mark
      block.push(line)
    }
  }
  close()
  return passages
}

function cut(text: string): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > maxLength) {
    const at = placeToCut(rest)
    pieces.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

/** After the last sentence that fits, else after the last word, else where it is full (never inside a character). */
function placeToCut(text: string): number {
  const head = text.slice(0, maxLength)
  const sentence = Math.max(...[...head.matchAll(/[.!?؟。！？]["'”»)]*\s|\n/gu)].map((m) => m.index + m[0].length), 0)
  if (sentence > maxLength / 3) return sentence
  const space = head.lastIndexOf(' ')
  if (space > maxLength / 3) return space + 1
  return /[\ud800-\udbff]$/.test(head) ? maxLength - 1 : maxLength
}
