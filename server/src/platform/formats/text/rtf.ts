/** Rich Text Format: its words in order, tables by rows; what is hidden, deleted or drawn is left out. */
import { TextDecoder } from 'node:util'
import { ReadFault } from '../fault.ts'
import type { Extract } from '../types.ts'
import { cleanText, oneLine } from './clean.ts'
import { byCharset, byCodePage, skippedGroups, textOfWord, destinationsWithText } from './rtf-words.ts'

export const readRtf = (bytes: Uint8Array): Extract => {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!/^\s*\{\\rtf/.test(source.slice(0, 100))) throw new ReadFault('damaged')
  const { body, title } = interpret(source)
  const text = cleanText(body)
    .replace(/ \| (?=\n|$)/g, '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (!/\S/.test(text)) throw new ReadFault('no_text')
  return { text, segments: [], title: oneLine(cleanText(title)) || null }
}

/** Of the innermost open group; a group inside begins with a copy. */
interface State {
  goes: 'body' | 'remarks' | 'title' | 'fonts' | 'nowhere'
  hidden: boolean
  /** Characters to pass over after `\u`. */
  fallback: number
  font: number
  inTable: boolean
}

const maxGroups = 1_000
const token = /\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]{1,32})(-?\d{1,10})? ?|([^a-zA-Z]))|([{}])|[\r\n]+|[^\\{}\r\n]+|\\/g

const interpret = (source: string): { body: string; title: string } => {
  const out = writer()
  const groups: State[] = []
  const fonts = new Map<number, string>()
  let state: State = { goes: 'body', hidden: false, fallback: 1, font: 0, inTable: false }
  let ansi = 'windows-1252'
  let defaultFont = 0
  let pass = 0
  /** Right after `{`, and after `{\*`: where a group says what it is. */
  let opens: 'no' | 'group' | 'starred' = 'no'

  const say = (text: string): void => {
    if (!state.hidden) out.say(state.goes, text)
  }
  const sayBytes = (bytes: string): void => {
    if (!state.hidden) out.sayBytes(state.goes, bytes, fonts.get(state.font) ?? ansi, ansi)
  }
  const word = (name: string, value: number | null): void => {
    switch (name) {
      case 'u':
        say(String.fromCharCode((value ?? 0) & 0xffff))
        pass = state.fallback
        return
      case 'uc':
        state.fallback = Math.min(Math.max(value ?? 1, 0), 20)
        return
      case 'ansicpg':
        ansi = byCodePage(value ?? 1252)
        return
      case 'mac':
        ansi = 'macintosh'
        return
      case 'deff':
        defaultFont = state.font = value ?? 0
        return
      case 'f':
        state.font = value ?? 0
        return
      case 'fcharset': {
        const label = byCharset(value ?? 0)
        if (state.goes === 'fonts' && label !== null) fonts.set(state.font, label)
        return
      }
      case 'plain':
        state.hidden = false
        state.font = defaultFont
        return
      case 'v':
      case 'deleted':
        state.hidden = value !== 0
        return
      case 'fs':
        state.hidden = value !== null && value <= 2
        return
      case 'intbl':
        state.inTable = true
        return
      case 'pard':
        state.inTable = false
        return
    }
    const text = textOfWord.get(name)
    if (text !== undefined) say(name === 'par' && state.inTable ? ' ' : text)
  }
  const begin = (name: string): void => {
    if (name === 'fonttbl') state.goes = 'fonts'
    else if (skippedGroups.has(name) || (opens === 'starred' && !destinationsWithText.has(name))) state.goes = 'nowhere'
    else if (name === 'info') state.goes = 'nowhere'
    else if (name === 'title' && state.goes === 'nowhere') state.goes = 'title'
    else if (/^(?:header|footer|footnote)[lrf]?$/.test(name)) say('\n\n')
    else if (name === 'annotation') {
      // It may hang in the middle of a word.
      state.goes = 'remarks'
      say('\n\n')
    }
  }

  token.lastIndex = 0
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [whole, hex, name, digits, symbol, brace] = match
    if (brace === '{') {
      if (groups.length >= maxGroups) throw new ReadFault('too_complex')
      groups.push(state)
      state = { ...state }
      opens = 'group'
      pass = 0
      continue
    }
    if (brace === '}') {
      state = groups.pop() ?? state
      // What stands behind the outermost group is no part of the document.
      if (groups.length === 0) break
      opens = 'no'
      pass = 0
      continue
    }
    if (symbol === '*') {
      // Anywhere else than at the start of a group it says nothing.
      if (opens === 'group') opens = 'starred'
      continue
    }
    if (name === 'bin') {
      token.lastIndex += Math.max(0, Number(digits ?? 0))
      continue
    }
    if (name !== undefined && opens !== 'no') begin(name)
    opens = 'no'
    if (state.goes === 'nowhere') continue
    if (pass > 0 && whole.charCodeAt(0) > 13) {
      if (name === undefined && hex === undefined && symbol === undefined) {
        sayBytes(whole.slice(pass))
        pass = Math.max(0, pass - whole.length)
        continue
      }
      if (name !== 'u') {
        pass--
        continue
      }
    }
    if (name !== undefined) word(name, digits === undefined ? null : Number(digits))
    else if (hex !== undefined) sayBytes(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (symbol !== undefined) say(textOfWord.get(symbol) ?? '')
    else if (whole.charCodeAt(0) > 13) sayBytes(whole)
  }
  return out.finish()
}

/** Bytes wait until their encoding changes: a character may be made of two of them, in two tokens. */
const writer = () => {
  const parts = { body: [] as string[], remarks: [] as string[], title: [] as string[] }
  let bytes: string[] = []
  const decoders = new Map<string, TextDecoder>()
  let encoding = ''
  let otherwise = ''
  let to: keyof typeof parts = 'body'
  const decode = (label: string, sign: Buffer): string => {
    const decoder = decoders.get(label) ?? new TextDecoder(label)
    decoders.set(label, decoder)
    return decoder.decode(sign)
  }
  const flush = (): void => {
    if (bytes.length === 0) return
    const all = Buffer.from(bytes.join(''), 'latin1')
    const text = decode(encoding, all)
    // The mark of a list in a font for another script than its text.
    parts[to].push(all.length === 1 && text === '\ufffd' ? decode(otherwise, all) : text)
    bytes = []
  }
  return {
    say(goes: State['goes'], text: string): void {
      if (goes === 'fonts' || goes === 'nowhere') return
      flush()
      parts[goes].push(text)
    },
    sayBytes(goes: State['goes'], text: string, label: string, ansi: string): void {
      if (goes === 'fonts' || goes === 'nowhere' || text === '') return
      if (label !== encoding || goes !== to) flush()
      encoding = label
      otherwise = ansi
      to = goes
      bytes.push(text)
    },
    finish(): { body: string; title: string } {
      flush()
      return { body: [...parts.body, ...parts.remarks].join(''), title: parts.title.join('') }
    },
  }
}
