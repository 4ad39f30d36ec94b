/**
 * Reads JSON (RFC 8259) piece by piece, as it arrives. Bounds are looked at before anything is made of a byte, and no
 * piece keeps the event loop longer than its own size takes, however large the whole is.
 */
import { isUtf8 } from 'node:buffer'
import { JsonFault, type JsonBounds, type JsonFaultKind, maxDepth, maxNameLength, maxNumberLength } from './bounds.ts'

export interface JsonReader {
  /** Takes the next bytes, which may end anywhere. Throws JsonFault. */
  push(bytes: Uint8Array): void
  /** The value, as `JSON.parse` would give it; undefined where there were no bytes at all. Throws JsonFault. */
  end(): unknown
}

export const createJsonReader = (bounds: JsonBounds): JsonReader => new Reader(bounds)

/** What may come next outside of texts. */
const awaited = { value: 0, valueOrEnd: 1, name: 2, nameOrEnd: 3, colon: 4, commaOrEnd: 5, nothing: 6 } as const
type Awaited = (typeof awaited)[keyof typeof awaited]
type Container = unknown[] | Record<string, unknown>

/** A class, as its fields are touched for every token. */
class Reader implements JsonReader {
  readonly #bounds: JsonBounds
  #awaits: Awaited = awaited.value
  #values = 0
  #root: unknown = undefined
  /** The open arrays and objects from outside in, and beside each object the name whose value is read. */
  readonly #open: Container[] = []
  readonly #names: string[] = []
  #begun = false
  #inText = false
  #isName = false
  #text = ''
  /** The beginning of what the next bytes complete: an escape, a character, a number, a word. */
  #rest: Buffer = Buffer.alloc(0)

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  push(piece: Uint8Array): void {
    if (piece.length === 0) return
    const view = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, view]) : view
    this.#rest = nothing
    let at = this.#begun ? 0 : this.#begin(bytes)
    while (at < bytes.length) at = this.#inText ? this.#readText(bytes, at) : this.#readToken(bytes, at)
  }

  end(): unknown {
    if (!this.#begun && this.#rest.length === 0) return undefined
    // Whatever began in a number or a word ends here.
    this.push(Buffer.from(' '))
    if (this.#awaits !== awaited.nothing || this.#inText || this.#rest.length > 0) this.#fail('syntax')
    return this.#root
  }

  /** A byte order mark is skipped, as parsers may do (RFC 8259, section 8.1). */
  #begin(bytes: Buffer): number {
    if (bytes[0] === 0xef && bytes.length < 3) return this.#keep(bytes, 0)
    this.#begun = true
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  }

  #readToken(bytes: Buffer, at: number): number {
    const byte = bytes[at] as number
    const awaits = this.#awaits
    switch (byte) {
      case space:
      case lineFeed:
      case carriageReturn:
      case tab:
        return at + 1
      case comma:
        if (awaits !== awaited.commaOrEnd) this.#fail('syntax')
        this.#awaits = Array.isArray(this.#open.at(-1)) ? awaited.value : awaited.name
        return at + 1
      case colon:
        if (awaits !== awaited.colon) this.#fail('syntax')
        this.#awaits = awaited.value
        return at + 1
      case closeBrace:
      case closeBracket:
        this.#close(byte === closeBracket)
        return at + 1
      case quote:
        this.#isName = awaits === awaited.name || awaits === awaited.nameOrEnd
        if (!this.#isName && awaits > awaited.valueOrEnd) this.#fail('syntax')
        this.#inText = true
        this.#text = ''
        return at + 1
    }
    if (awaits > awaited.valueOrEnd) this.#fail('syntax')
    if (byte !== openBrace && byte !== openBracket) return this.#readWord(bytes, at)
    if (this.#open.length >= maxDepth) this.#fail('depth')
    const container: Container = byte === openBracket ? [] : {}
    this.#put(container)
    this.#open.push(container)
    this.#names.push('')
    this.#awaits = byte === openBracket ? awaited.valueOrEnd : awaited.nameOrEnd
    return at + 1
  }

  #close(isArray: boolean): void {
    const empty = isArray ? awaited.valueOrEnd : awaited.nameOrEnd
    const ends = this.#awaits === awaited.commaOrEnd || this.#awaits === empty
    if (!ends || this.#open.length === 0 || Array.isArray(this.#open.at(-1)) !== isArray) this.#fail('syntax')
    this.#open.pop()
    this.#names.pop()
    this.#awaits = this.#open.length > 0 ? awaited.commaOrEnd : awaited.nothing
  }

  /** A text up to its end, or up to where the next bytes are needed to understand it. */
  #readText(bytes: Buffer, from: number): number {
    const { length } = bytes
    let escaped = false
    let wide = false
    let at = from
    while (at < length) {
      const byte = bytes[at] as number
      if (byte === quote) {
        this.#text += this.#decode(bytes, from, at, escaped, wide)
        this.#endText()
        return at + 1
      }
      if (byte === backslash) {
        const size = bytes[at + 1] === letterU ? 6 : 2
        if (at + size > length) break
        escaped = true
        at += size
      } else {
        if (byte < space) this.#fail('syntax')
        if (byte > 127) wide = true
        at += 1
      }
    }
    const whole = at < length ? at : at - (wide ? unfinished(bytes, from, at) : 0)
    this.#text += this.#decode(bytes, from, whole, escaped, wide)
    if (this.#isName && this.#text.length > maxNameLength) this.#fail('name')
    return this.#keep(bytes, whole)
  }

  #decode(bytes: Buffer, from: number, to: number, escaped: boolean, wide: boolean): string {
    if (from === to) return ''
    if (wide && !isUtf8(bytes.subarray(from, to))) this.#fail('text')
    const text = wide ? bytes.toString('utf8', from, to) : bytes.toString('latin1', from, to)
    if (!escaped) return text
    const plain = this.#parse(`"${text}"`)
    if (plain.includes('\0')) this.#fail('nul')
    return plain
  }

  /** A piece of a text has nothing in it that could end it, so it parses to a text, or not at all. */
  #parse(written: string): string {
    try {
      return JSON.parse(written) as string
    } catch {
      return this.#fail('syntax')
    }
  }

  #endText(): void {
    const text = this.#text
    this.#inText = false
    this.#text = ''
    if (!this.#isName) return this.#put(text)
    if (text.length > maxNameLength) this.#fail('name')
    const depth = this.#names.length
    // Assigned carelessly somewhere, these would change what every object is.
    if (text === '__proto__' || (text === 'prototype' && this.#names[depth - 2] === 'constructor')) {
      this.#fail('prototype')
    }
    this.#names[depth - 1] = text
    this.#awaits = awaited.colon
  }

  #readWord(bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length && isOfWord(bytes[at] as number)) at += 1
    if (at === from) this.#fail('syntax')
    if (at - from > maxNumberLength) this.#fail('number')
    if (at === bytes.length) return this.#keep(bytes, from)
    const word = bytes.toString('latin1', from, at)
    if (word === 'true' || word === 'false') this.#put(word === 'true')
    else if (word === 'null') this.#put(null)
    else {
      if (!numberForm.test(word)) this.#fail('syntax')
      const value = Number(word)
      if (!Number.isFinite(value)) this.#fail('number')
      this.#put(value)
    }
    return at
  }

  #put(value: unknown): void {
    this.#values += 1
    if (this.#values > this.#bounds.maxValues) this.#fail('values')
    const container = this.#open.at(-1)
    this.#awaits = container ? awaited.commaOrEnd : awaited.nothing
    if (!container) this.#root = value
    else if (Array.isArray(container)) container.push(value)
    else container[this.#names.at(-1) as string] = value
  }

  #keep(bytes: Buffer, from: number): number {
    this.#rest = Buffer.from(bytes.subarray(from))
    return bytes.length
  }

  #fail(kind: JsonFaultKind): never {
    throw new JsonFault(kind, this.#bounds)
  }
}

/** How many bytes at the end are the beginning of a character that the next bytes complete. */
const unfinished = (bytes: Buffer, from: number, to: number): number => {
  for (let back = 1; back <= Math.min(3, to - from); back += 1) {
    const byte = bytes[to - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

const isOfWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2b ||
  byte === 0x2d ||
  byte === 0x2e

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const nothing = Buffer.alloc(0)
const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const letterU = 0x75
const openBrace = 0x7b
const closeBrace = 0x7d
