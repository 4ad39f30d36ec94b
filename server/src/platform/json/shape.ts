/** How deep and how full a JSON text is, told before anything is built of it. Pure. */

export interface JsonBounds {
  /** Arrays and objects within each other. */
  readonly depth: number
  /** Values, in all arrays and objects together. */
  readonly members: number
}

/**
 * Which bound a JSON text is over; null where it is within both. One pass that skips strings, and ends at the bound: what
 * is many small things takes some fifty times its length once it is built. Whether the text is JSON at all is not looked at.
 */
export function findExceededBound(text: string, { depth, members }: JsonBounds): keyof JsonBounds | null {
  let open = 0
  let found = 1
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case bracket:
      case brace:
        open += 1
        found += 1
        if (open > depth) return 'depth'
        break
      case closingBracket:
      case closingBrace:
        open -= 1
        break
      case comma:
        found += 1
        break
    }
    if (found > members) return 'members'
  }
  return null
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const bracket = 0x5b
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d

/** The place of the quote that ends a string; the end of the text where none does. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}
