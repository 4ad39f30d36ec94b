/** Reads JSON of which only the beginning is there. Pure. */

/**
 * As much as stands in a text that may break off anywhere: a string that goes on is given as far as it is, and what has
 * only begun is left out. undefined: nothing of it can be told yet. What is no JSON ends where it stops being that.
 */
export function readPartialJson(text: string): unknown {
  let at = 0
  let isOver = false

  const skipSpace = () => {
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1
  }
  const stop = (): undefined => {
    isOver = true
    return undefined
  }

  function readValue(): unknown {
    skipSpace()
    const first = text[at]
    if (first === undefined) return stop()
    if (first === '"') return readString()
    if (first === '{') return readObject()
    if (first === '[') return readArray()
    const [word = ''] = /^[-+.\w]+/.exec(text.slice(at, at + 40)) ?? []
    at += word.length
    // A number or word at the very end may go on.
    if (word === '' || at >= text.length) return stop()
    try {
      return JSON.parse(word)
    } catch {
      return stop()
    }
  }

  function readString(): string {
    const start = at
    at += 1
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    if (at < text.length) {
      at += 1
      return parsed(text.slice(start, at))
    }
    isOver = true
    // An escape or half of a pair of surrogates that has only begun is left out.
    const open = text.slice(start).replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, '$1')
    return parsed(`${open}"`).replace(/[\ud800-\udbff]$/, '')
  }

  /** What no JSON string is, stands for nothing. */
  function parsed(literal: string): string {
    try {
      return JSON.parse(literal) as string
    } catch {
      isOver = true
      return ''
    }
  }

  function readArray(): unknown[] {
    const items: unknown[] = []
    at += 1
    for (;;) {
      skipSpace()
      if (text[at] === ']') {
        at += 1
        return items
      }
      const item = readValue()
      if (item !== undefined) items.push(item)
      skipSpace()
      if (isOver || (text[at] !== ',' && text[at] !== ']')) {
        isOver = true
        return items
      }
      if (text[at] === ',') at += 1
    }
  }

  function readObject(): Record<string, unknown> {
    const members = new Map<string, unknown>()
    at += 1
    for (;;) {
      skipSpace()
      if (text[at] === '}') {
        at += 1
        break
      }
      if (text[at] !== '"') {
        isOver = true
        break
      }
      const name = readString()
      skipSpace()
      if (isOver || text[at] !== ':') {
        isOver = true
        break
      }
      at += 1
      const value = readValue()
      if (value !== undefined) members.set(name, value)
      skipSpace()
      if (isOver || (text[at] !== ',' && text[at] !== '}')) {
        isOver = true
        break
      }
      if (text[at] === ',') at += 1
    }
    return Object.fromEntries(members)
  }

  return readValue()
}
