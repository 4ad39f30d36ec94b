/** Recorded streams, read as the runner reads them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createFraming } from '../providers/framing.ts'
import type { Part, ProviderFailure, Replay, Turn, Wire } from '../providers/types.ts'

const folder = new URL('../providers/__fixtures__/', import.meta.url)

const filesOf = (wire: Wire): string[] => {
  const own = new URL(`${wire.id}/`, folder)
  return existsSync(own) ? readdirSync(own) : []
}
const nameOf = (file: string): string => file.replace(/\.[a-z]+$/, '')

/** The names of a wire's recordings. */
export const recordsOf = (wire: Wire): string[] => filesOf(wire).map(nameOf)

/** The bytes of a recording: text, or binary where the framing is. */
export function bytesOf(wire: Wire, name: string): Buffer {
  const file = filesOf(wire).find((one) => nameOf(one) === name)
  return readFileSync(new URL(`${wire.id}/${file ?? `${name}.txt`}`, folder))
}

/** Reads a recorded stream, cut into chunks of a size, to its end or its fault. */
export function read(wire: Wire, name: string, chunk = 7) {
  const bytes = bytesOf(wire, name)
  const framing = createFraming(wire.framing)
  const reader = wire.reader()
  const parts: Part[] = []
  try {
    for (let at = 0; at < bytes.length; at += chunk) {
      for (const frame of framing.push(bytes.subarray(at, at + chunk))) parts.push(...reader.frame(frame))
    }
    for (const frame of framing.end()) parts.push(...reader.frame(frame))
    parts.push(...reader.end())
  } catch (error) {
    return { ...gather(parts), failure: error as ProviderFailure }
  }
  return { ...gather(parts), failure: null }
}

function gather(parts: readonly Part[]) {
  const joined = (type: 'text' | 'reasoning') => parts.map((p) => (p.type === type ? p.delta : '')).join('')
  const calls = parts.flatMap((p) => (p.type === 'tool-call' ? [p.call] : []))
  const streamed = parts.flatMap((start) => {
    if (start.type !== 'tool-call-start') return []
    const { index, id, name } = start
    const pieces = parts.map((p) => (p.type === 'tool-call-delta' && p.index === index ? p.delta : ''))
    return [{ id, name, arguments: pieces.join('') }]
  })
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    rawCalls: calls,
    calls: calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown })),
    /** The same calls, as those saw them who follow piece by piece. */
    streamed,
    usage: parts.findLast((p) => p.type === 'usage') ?? null,
    finish: parts.flatMap((p) => (p.type === 'finish' ? [p.reason] : [])),
    logprobs: parts.flatMap((p) => (p.type === 'logprobs' ? p.content : [])),
    replay: parts.flatMap((p) => (p.type === 'replay' ? [p] : [])),
  }
}

/** What a recorded answer is as history, with what its wire wants to see again. */
export function asHistory(wire: Wire, model: string, answer: ReturnType<typeof read>): Turn['messages'][number] {
  const items = answer.replay.map((part) => part.item)
  const replay: Replay = { wire: wire.id, model, items }
  return { role: 'assistant', text: answer.text, toolCalls: answer.rawCalls, replay }
}

/** A turn with everything in it. */
export const sampleTurn: Turn = {
  model: 'm',
  system: 'Be brief.',
  messages: [
    { role: 'user', text: 'Weather?', images: [] },
    { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }] },
    { role: 'tool', callId: 'call_1', name: 'weather', text: 'Snow.' },
    { role: 'user', text: 'And this?', images: [{ mediaType: 'image/png', data: 'aW1hZ2U=' }] },
  ],
  tools: [{ name: 'weather', description: 'Tells the weather', parameters: { type: 'object' } }],
  options: { temperature: 0.2, num_predict: 50, num_ctx: 4096, stop: ['END'], think: 'low' },
}
