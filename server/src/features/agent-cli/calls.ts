/** The calls of one answer as an agent tells them: bounded in number and length, each result told once. Pure. */
import type { ToolCall, ToolResult } from '@atrium/contract/generation'
import { makeHarmless } from '../../providers/harmless-text.ts'
import { type Part, ProviderFailure } from '../../providers/types.ts'

export interface CallLog {
  /** The call as it was told last. */
  find(id: string): ToolCall | undefined
  /** Tells a call, or what is new of it. Throws ProviderFailure `too_large` where there is too much of it. */
  tell(call: ToolCall): Part[]
  /** Tells what came of a call that was told. */
  end(id: string, status: ToolResult['status'], text: string): Part[]
}

const maxCalls = 500
const maxWords = 20_000
/** Of calls that are told again and again. */
const maxToldChars = 8_000_000

export const createCallLog = (): CallLog => {
  const calls = new Map<string, { readonly call: ToolCall; readonly words: string; isOver: boolean }>()
  let toldChars = 0
  return {
    find: (id) => calls.get(id)?.call,
    tell(call) {
      const words = JSON.stringify(call)
      const known = calls.get(call.id)
      if (known?.words === words) return []
      if (!known && calls.size >= maxCalls) throw tooMuch()
      toldChars += words.length
      if (toldChars > maxToldChars) throw tooMuch()
      calls.set(call.id, { call, words, isOver: known?.isOver ?? false })
      return [{ type: 'tool-call', call }]
    },
    end(id, status, text) {
      const known = calls.get(id)
      if (!known || known.isOver) return []
      known.isOver = true
      return [{ type: 'tool-result', callId: id, result: { status, text: cutText(text) } }]
    },
  }
}

export const maxIdChars = 200
export const maxNameChars = 500
export const maxPathChars = 1000
/** Places, changes and steps of one call. */
export const maxListed = 50

/** Words of a stranger, sound and no longer than so many characters. */
export const cutText = (words: string, max = maxWords): string => {
  const sound = makeHarmless(words.slice(0, max))
  return words.length > max ? `${sound}…` : sound
}

const tooMuch = () =>
  new ProviderFailure('too_large', 'The agent told too much of its tools, so the answer was ended here.')
