/** Reads the events of the Messages wire, and the whole object of a server that does not stream. */
import { newCallId } from './call-id.ts'
import { errorInStream } from '../faults.ts'
import type { Part, WireReader } from '../types.ts'
import {
  asArray,
  asCount,
  asObject,
  asText,
  asTokens,
  cutShort,
  type Json,
  maxOpenItems,
  mostCallsRead,
  tooManyItems,
} from './json.ts'
import { createReplayPlaces } from './answer-order.ts'
import { createReader } from './reader.ts'

interface Block {
  readonly type: string
  text: string
  signature: string
  call: { readonly index: number; readonly id: string; readonly name: string; arguments: string } | null
  /** What stood at the beginning where no pieces follow. */
  readonly input: unknown
}

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

export function createAnthropicReader(wire: string): WireReader {
  const places = createReplayPlaces(wire)
  const blocks = new Map<number, Block>()
  let calls = 0
  let done = false
  let finish: string | null = null
  let usage: Json = {}
  /** What the beginning told of the input, until the first piece comes: it is no piece of the answer. */
  let untold: Part[] = []
  /** Set between text and text where something else stood: they are paragraphs of their own. */
  let apart = false
  let ending = ''

  const begin = (index: number, said: Json): Part[] => {
    const type = asText(said['type'])
    const id = asText(said['id']) || newCallId()
    const name = asText(said['name'])
    const called = type === 'tool_use' && name !== '' && calls < mostCallsRead
    const call = called ? { index: calls, id, name, arguments: '' } : null
    const block: Block = { type, text: '', signature: asText(said['signature']), call, input: said['input'] }
    if (blocks.size >= maxOpenItems) throw tooManyItems()
    blocks.set(index, block)
    if (type !== 'text') apart = true
    if (call) {
      calls += 1
      return [{ type: 'tool-call-start', index: call.index, id, name }]
    }
    if (type === 'redacted_thinking') return [places.mark({ type, data: said['data'] })]
    return write(block, asText(said[type === 'thinking' ? 'thinking' : 'text']))
  }

  const write = (block: Block, delta: string): Part[] => {
    block.text += delta
    if (delta === '') return []
    if (block.type === 'thinking') return [{ type: 'reasoning', delta }]
    if (block.type !== 'text') return []
    const gap = apart && ending.trim() !== '' ? '\n\n' : ''
    apart = false
    ending = delta.slice(-1)
    return [{ type: 'text', delta: gap + delta }]
  }

  const grow = ({ call }: Block, delta: string): Part[] => {
    if (!call || delta === '') return []
    call.arguments += delta
    return [{ type: 'tool-call-delta', index: call.index, delta }]
  }

  const read = (block: Block, delta: Json): Part[] => {
    switch (delta['type']) {
      case 'text_delta':
        return write(block, asText(delta['text']))
      case 'thinking_delta':
        return write(block, asText(delta['thinking']))
      case 'signature_delta':
        block.signature += asText(delta['signature'])
        return []
      case 'input_json_delta':
        return grow(block, asText(delta['partial_json']))
      default:
        return []
    }
  }

  const close = (index: number): Part[] => {
    const block = blocks.get(index)
    blocks.delete(index)
    if (block?.type === 'thinking' && block.signature !== '') {
      return [places.mark({ type: 'thinking', thinking: block.text, signature: block.signature })]
    }
    if (!block?.call) return []
    const parts = block.call.arguments === '' ? grow(block, JSON.stringify(asObject(block.input) ?? {})) : []
    const { id, name, arguments: args } = block.call
    return [...parts, { type: 'tool-call', call: { id, name, arguments: args } }]
  }

  const ended = (): Part[] => {
    done = true
    const open = [...blocks.keys()].flatMap(close)
    const reason = reasons[finish ?? 'end_turn'] ?? finish ?? 'stop'
    return [...open, { type: 'finish', reason: reason === 'stop' && calls > 0 ? 'tool_calls' : reason }]
  }

  const whole = (message: Json): Part[] => {
    const parts: Part[] = []
    for (const [index, block] of asArray(message['content']).entries()) {
      const read = [...begin(index, asObject(block) ?? {}), ...close(index)]
      places.heard(read)
      parts.push(...read)
    }
    finish = asText(message['stop_reason']) || null
    return [...parts, ...usageOf(asObject(message['usage']) ?? {}), ...ended()]
  }

  const event = (frame: Json): Part[] => {
    const index = asCount(frame['index']) ?? 0
    switch (frame['type']) {
      case 'message':
        return whole(frame)
      case 'message_start':
        usage = asObject(asObject(frame['message'])?.['usage']) ?? {}
        untold = usageOf({ ...usage, output_tokens: null })
        return []
      case 'content_block_start':
        return begin(index, asObject(frame['content_block']) ?? {})
      case 'content_block_delta': {
        const block = blocks.get(index)
        return block ? read(block, asObject(frame['delta']) ?? {}) : []
      }
      case 'content_block_stop':
        return close(index)
      case 'message_delta': {
        finish = asText(asObject(frame['delta'])?.['stop_reason']) || finish
        const now = Object.entries(asObject(frame['usage']) ?? {}).filter(([, value]) => value !== null)
        usage = { ...usage, ...Object.fromEntries(now) }
        untold = []
        return usageOf(usage)
      }
      case 'message_stop':
        return ended()
      default:
        return []
    }
  }

  return createReader({
    isDone: () => done,
    frame(frame) {
      if (frame['type'] === 'error' || (frame['error'] !== undefined && frame['error'] !== null)) {
        throw errorInStream(frame)
      }
      const parts = event(frame)
      if (!done) places.heard(parts)
      if (parts.length === 0 || untold.length === 0) return parts
      const told = untold
      untold = []
      return [...told, ...parts]
    },
    end() {
      // Some servers end at the stop reason, without `message_stop`.
      if (finish === null) throw cutShort()
      return ended()
    },
  })
}

/** The input counts what came from the cache and went into it, as everywhere else. */
function usageOf(usage: Json): Part[] {
  const input = asTokens(usage['input_tokens'])
  const cached = asTokens(usage['cache_read_input_tokens'])
  const outputTokens = asTokens(usage['output_tokens'])
  if (input === null && outputTokens === null) return []
  return [
    {
      type: 'usage',
      inputTokens:
        input === null ? null : input + (cached ?? 0) + (asTokens(usage['cache_creation_input_tokens']) ?? 0),
      outputTokens,
      cachedTokens: cached ?? undefined,
      reasoningTokens: asTokens(asObject(usage['output_tokens_details'])?.['thinking_tokens']) ?? undefined,
    },
  ]
}
