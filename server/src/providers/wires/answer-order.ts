/**
 * Where the pieces of an answer stood. A wire that wants its thinking back wants it in its place: before the words and
 * the calls that followed it. Each replay item carries that place, so that items may be lost without moving the others.
 */
import type { ToolCall } from '@atrium/contract/generation'
import type { Part, Replay, TurnMessage } from '../types.ts'
import { asCount, asObject, type Json } from './json.ts'

/** A piece of an answer, in order. */
export type AnswerPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'item'; readonly item: Json }

export interface ReplayPlaces {
  /** Advances the position of the next item by these parts. */
  heard(parts: readonly Part[]): void
  /** The item with its position: how much text and how many calls precede it. */
  mark(item: Json): Part
}

export function createReplayPlaces(wire: string): ReplayPlaces {
  let text = 0
  let calls = 0
  return {
    heard(parts) {
      for (const part of parts) {
        if (part.type === 'text') text += part.delta.length
        else if (part.type === 'tool-call') calls += 1
      }
    },
    mark: (item) => ({ type: 'replay', wire, item: { text, calls, item } }),
  }
}

/** An answer as this wire gave it; without replay of its own, the words and then the calls. */
export function orderAnswer(message: TurnMessage & { role: 'assistant' }, wire: string, model: string): AnswerPiece[] {
  const pieces: AnswerPiece[] = []
  let text = 0
  let calls = 0
  const upTo = (textEnd: number, callsEnd: number): void => {
    if (textEnd > text) pieces.push({ type: 'text', text: message.text.slice(text, textEnd) })
    text = Math.max(text, textEnd)
    for (; calls < Math.min(callsEnd, message.toolCalls.length); calls += 1) {
      pieces.push({ type: 'call', call: message.toolCalls[calls] as ToolCall })
    }
  }
  for (const entry of replayed(message.replay, wire, model)) {
    const placed = asObject(entry)
    const item = asObject(placed?.['item'])
    if (!item) continue
    upTo(asCount(placed?.['text']) ?? 0, asCount(placed?.['calls']) ?? 0)
    pieces.push({ type: 'item', item })
  }
  upTo(message.text.length, message.toolCalls.length)
  return pieces
}

const replayed = (replay: Replay | undefined, wire: string, model: string): readonly unknown[] =>
  replay && replay.wire === wire && replay.model === model ? replay.items : []
