/** Text of an answer as it is kept and shown: well formed, without controls, with a bounded number of marks on a letter. */

/**
 * Combining marks on one letter. Tibetan needs nine at most; more is a drawing over the lines around it, and slow to lay
 * out.
 */
export const maxMarks = 12

export interface HarmlessText {
  /** The next piece, made harmless. A half character at its end is kept back for the next one. */
  push(piece: string): string
  /** What was kept back. */
  end(): string
}

/** For one text that comes in pieces. The work grows with the length of the pieces. */
export function createHarmlessText(): HarmlessText {
  let half = ''
  let marks = 0
  let afterReturn = false

  /** Of a piece with something suspicious in it. */
  const clean = (piece: string): string => {
    const kept: string[] = []
    let from = 0
    const leave = (at: number, width: number, instead: string): void => {
      kept.push(piece.slice(from, at), instead)
      from = at + width
    }
    for (let at = 0; at < piece.length; ) {
      const code = piece.codePointAt(at) ?? 0
      const width = code > 0xffff ? 2 : 1
      const kind = kindOf(code)
      if (kind === mark) {
        marks += 1
        if (marks > maxMarks) leave(at, width, '')
      } else {
        marks = 0
        if (code === carriageReturn) leave(at, 1, '\n')
        else if (code === lineFeed && afterReturn) leave(at, 1, '')
        else if (kind === control) leave(at, width, '')
        else if (kind === loneSurrogate) leave(at, width, '\ufffd')
      }
      afterReturn = code === carriageReturn
      at += width
    }
    kept.push(piece.slice(from))
    return kept.join('')
  }

  const take = (piece: string): string => {
    if (piece === '') return ''
    if (afterReturn || suspicious.test(piece)) return clean(piece)
    marks = 0
    return piece
  }

  return {
    push(piece) {
      const whole = half + piece
      half = endsInHalf(whole) ? whole.slice(-1) : ''
      return take(half === '' ? whole : whole.slice(0, -1))
    },
    end() {
      const rest = half
      half = ''
      return take(rest)
    },
  }
}

/** A whole text at once. */
export function makeHarmless(text: string): string {
  const cleaner = createHarmlessText()
  return cleaner.push(text) + cleaner.end()
}

const suspicious = /[[\p{Cc}\p{Cs}\p{M}]--[\t\n]]/v

const carriageReturn = 0x0d
const lineFeed = 0x0a
const plain = 1
const control = 2
const loneSurrogate = 3
const mark = 4

/** Kinds of the characters of the basic plane as they are met; 0 where none was looked at yet. */
const known = new Uint8Array(0x10000)

function kindOf(code: number): number {
  if (code > 0xffff) return /^\p{M}/u.test(String.fromCodePoint(code)) ? mark : plain
  return (known[code] ||= lookUp(code))
}

function lookUp(code: number): number {
  const character = String.fromCharCode(code)
  if (/[\t\n]/.test(character)) return plain
  if (/\p{Cc}/u.test(character)) return control
  if (/\p{Cs}/u.test(character)) return loneSurrogate
  return /\p{M}/u.test(character) ? mark : plain
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
