/**
 * What every answer passes before anybody builds on it: its pieces are made harmless, neighbours are joined, and what
 * goes on beyond any sound answer ends it with the reason. What came before stays.
 */
import { isTooLarge } from '../platform/formats/picture/head.ts'
import { readPictureFacts } from '../platform/pictures/index.ts'
import { createHarmlessText, makeHarmless } from './harmless-text.ts'
import { enoughCharacters, countCharacters } from './progress.ts'
import { type Part, ProviderFailure } from './types.ts'

/** More than this many tool calls in one answer are a fault, not a plan. */
export const maxToolCalls = 128
/** OpenAI and Anthropic take names of 64 and 128 characters; ids are a handful of words. */
export const maxToolNameLength = 256
/** Of one call, in characters: a whole file can be written with it. */
export const maxToolArgumentsLength = 1024 * 1024
/** Words, thoughts and arguments together, in characters: ten times what the longest answers of today hold. */
export const maxAnswerLength = 4 * 1024 * 1024
/** More pictures than this in one answer are a fault; so many looks at each on its way are shown. */
const maxPictures = 16
const maxDrafts = 4
/** As of pictures that are made for the gallery. */
const maxPictureBytes = 32 * 1024 * 1024
/** Why an answer ended is a word. */
const maxReasonLength = 64

export interface AnswerBounds {
  /** Puts what may pass behind `passed`. Throws ProviderFailure `too_large`; what was put there before it is good. */
  take(parts: readonly Part[], passed: Part[]): void
  /** How much of substance came: see `silence.ts`. Asking sets it back. */
  progress(): number
}

export function createAnswerBounds(): AnswerBounds {
  const text = createHarmlessText()
  const reasoning = createHarmlessText()
  const argumentsLengths = new Map<number, number>()
  const drafts = new Map<number, number>()
  let length = 0
  let came = 0

  const countLength = (delta: string): void => {
    length += delta.length
    came += countCharacters(delta)
    if (length > maxAnswerLength) throw tooLong('The answer is longer than Atrium takes, so it was ended here.')
  }
  const write = (type: 'text' | 'reasoning', delta: string, passed: Part[]): void => {
    if (delta === '') return
    countLength(delta)
    const last = passed.at(-1)
    if (last?.type === type) passed[passed.length - 1] = { type, delta: last.delta + delta }
    else passed.push({ type, delta })
  }
  const take = (part: Part, passed: Part[]): void => {
    switch (part.type) {
      case 'text':
        return write('text', text.push(part.delta), passed)
      case 'reasoning':
        return write('reasoning', reasoning.push(part.delta), passed)
      case 'tool-call-start': {
        const { index, id, name } = part
        if (index >= maxToolCalls) {
          throw tooLong(`The model called more than ${maxToolCalls} tools in one answer, so it was ended here.`)
        }
        checkNames(id, name)
        came += enoughCharacters
        passed.push(part)
        return
      }
      case 'tool-call-delta': {
        const sofar = (argumentsLengths.get(part.index) ?? 0) + part.delta.length
        if (sofar > maxToolArgumentsLength)
          throw tooLong('The model gave a tool far too much, so the answer was ended here.')
        argumentsLengths.set(part.index, sofar)
        countLength(part.delta)
        passed.push(part)
        return
      }
      case 'tool-call':
        checkNames(part.call.id, part.call.name)
        passed.push({ type: 'tool-call', call: { ...part.call, arguments: part.call.arguments.toWellFormed() } })
        return
      case 'picture':
        came += enoughCharacters
        if (isShown(part, drafts)) passed.push(part)
        else if (!part.partial) passed.push({ type: 'lost-picture' })
        return
      case 'replay':
        came += enoughCharacters
        passed.push(part)
        return
      case 'finish':
        write('text', text.end(), passed)
        write('reasoning', reasoning.end(), passed)
        passed.push({ type: 'finish', reason: makeHarmless(part.reason.slice(0, maxReasonLength)) })
        return
      default:
        passed.push(part)
    }
  }

  return {
    take(parts, passed) {
      for (const part of parts) take(part, passed)
    },
    progress() {
      const now = came
      came = 0
      return now
    },
  }
}

/** What cannot be shown is left out, and the answer goes on. Throws ProviderFailure `too_large` where there are too many. */
function isShown({ index, bytes, partial }: Part & { type: 'picture' }, drafts: Map<number, number>): boolean {
  if (index >= maxPictures) {
    throw tooLong(`The model drew more than ${maxPictures} pictures in one answer, so it was ended here.`)
  }
  if (partial) {
    const count = (drafts.get(index) ?? 0) + 1
    drafts.set(index, count)
    if (count > maxDrafts) return false
  }
  const facts = bytes.byteLength > maxPictureBytes ? null : readPictureFacts(bytes)
  return facts !== null && !isTooLarge(facts)
}

function checkNames(id: string, name: string): void {
  if (name.length > maxToolNameLength || id.length > maxToolNameLength) {
    throw tooLong('The model called a tool by a name that no tool has, so the answer was ended here.')
  }
}

const tooLong = (words: string): ProviderFailure => new ProviderFailure('too_large', words)
