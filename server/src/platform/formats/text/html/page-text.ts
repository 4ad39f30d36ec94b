/** Writes text as it is met on a page: white space run together, blocks and lines apart. */

export interface PageText {
  /** Runs of white space become one space, as on a page. */
  text(value: string): void
  /** As it stands. */
  verbatim(value: string): void
  /** At least so many line ends before what comes next; nothing at the start. */
  rest(lines: 1 | 2): void
  /** Before what comes next, right at its start. */
  mark(value: string): void
  /** From here, line ends are spaces, until the call that says false. */
  flat(on: boolean): void
  /** Where what comes next will stand. */
  next(): { start: number }
  finish(): string
}

export const writePageText = (): PageText => {
  const parts: string[] = []
  let length = 0
  let lines = 0
  let space = false
  let mark = ''
  let flatDepth = 0
  let waiting: { start: number }[] = []

  const put = (value: string): void => {
    parts.push(value)
    length += value.length
  }
  const begin = (): void => {
    if (length > 0 && lines > 0) put(lines === 1 ? '\n' : '\n\n')
    else if (length > 0 && space) put(' ')
    lines = 0
    space = false
    for (const place of waiting) place.start = length
    waiting = []
    if (mark !== '') put(mark)
    mark = ''
  }
  return {
    text(value) {
      const line = value.replace(/[ \t\n\r\f]+/g, ' ')
      if (line === '') return
      if (line === ' ') {
        space = true
        return
      }
      if (line.startsWith(' ')) space = true
      begin()
      put(line.trim())
      space = line.endsWith(' ')
    },
    verbatim(value) {
      if (value === '') return
      begin()
      put(value)
    },
    rest(count) {
      if (flatDepth > 0) space = true
      else lines = Math.max(lines, count)
    },
    mark(value) {
      mark = value
    },
    flat(on) {
      flatDepth += on ? 1 : -1
    },
    next() {
      const place = { start: length }
      waiting.push(place)
      return place
    },
    finish() {
      for (const place of waiting) place.start = length
      return parts.join('')
    },
  }
}
