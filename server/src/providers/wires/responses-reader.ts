/** Reads the events of the Responses wire, and the whole object of a server that does not stream. */
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
import { readDrawn } from './drawn.ts'
import { createReader } from './reader.ts'

/** One item of the output, by its place there. */
interface Item {
  text: string
  /** The number of the call among the calls; null for what is none. */
  call: { index: number; id: string; name: string; arguments: string } | null
  /** The number of the picture among the pictures; null for what is none. */
  picture: number | null
  over: boolean
}

export function createResponsesReader(wire: string): WireReader {
  const places = createReplayPlaces(wire)
  const items = new Map<string, Item>()
  let calls = 0
  let pictures = 0
  let done = false
  /** Whether finished items came as such: then the final object holds nothing new. */
  let itemsCame = false
  let texts = 0

  const itemAt = (frame: Json): Item => {
    const key = String(frame['output_index'] ?? frame['item_id'] ?? '')
    if (items.size >= maxOpenItems && !items.has(key)) throw tooManyItems()
    const item = items.get(key) ?? { text: '', call: null, picture: null, over: false }
    items.set(key, item)
    return item
  }

  const text = (item: Item, delta: string): Part[] => {
    if (delta === '') return []
    // A second message, after a comment on the way, is a paragraph of its own.
    const apart = item.text === '' && texts > 0 ? '\n\n' : ''
    if (item.text === '') texts += 1
    item.text += delta
    return [{ type: 'text', delta: apart + delta }]
  }

  const begin = (item: Item, said: Json): Part[] => {
    if (item.call || calls >= mostCallsRead) return []
    const id = asText(said['call_id']) || asText(said['id']) || newCallId()
    item.call = { index: calls, id, name: asText(said['name']), arguments: '' }
    calls += 1
    return [{ type: 'tool-call-start', index: item.call.index, id, name: item.call.name }]
  }

  const grow = ({ call }: Item, delta: string): Part[] => {
    if (!call || delta === '') return []
    call.arguments += delta
    return [{ type: 'tool-call-delta', index: call.index, delta }]
  }

  const draw = (item: Item, data: string, partial: boolean): Part[] => {
    if (data === '') return []
    item.picture ??= pictures++
    return readDrawn(item.picture, data, partial)
  }

  /** What the whole of something adds to what its pieces have said already. */
  const rest = (whole: string, sofar: string): string => (whole.startsWith(sofar) ? whole.slice(sofar.length) : '')

  /** A finished item: what its pieces did not say is said now. */
  const finishItem = (item: Item, said: Json): Part[] => {
    if (item.over) return []
    item.over = true
    switch (said['type']) {
      case 'message':
        return text(item, rest(asArray(said['content']).map(contentText).join(''), item.text))
      case 'function_call': {
        const parts = begin(item, said)
        if (!item.call) return parts
        const args = asText(said['arguments']) || item.call.arguments || '{}'
        parts.push(...grow(item, rest(args, item.call.arguments)))
        const { id, name } = item.call
        if (name === '') return parts
        if (asText(said['id'])) parts.push(places.mark({ type: 'function_call', id: said['id'], call_id: id }))
        parts.push({ type: 'tool-call', call: { id, name, arguments: args } })
        return parts
      }
      case 'reasoning': {
        const thought = item.text === '' ? reasoningText(said) : ''
        const parts: Part[] = thought === '' ? [] : [{ type: 'reasoning', delta: thought }]
        const { id, summary, encrypted_content: sealed } = said
        // Without its encrypted content it could only be found again in a store, and nothing is stored there.
        if (asText(sealed)) {
          parts.push(places.mark({ type: 'reasoning', id, summary: asArray(summary), encrypted_content: sealed }))
        }
        return parts
      }
      case 'image_generation_call':
        return draw(item, asText(said['result']), false)
      default:
        return []
    }
  }

  const finish = (response: Json): Part[] => {
    done = true
    const parts: Part[] = []
    for (const [index, value] of itemsCame ? [] : asArray(response['output']).entries()) {
      const said = asObject(value)
      if (said) add(parts, finishItem(itemAt({ output_index: index }), said))
    }
    parts.push(...usageOf(response), { type: 'finish', reason: reasonOf(response, calls > 0) })
    return parts
  }

  const add = (parts: Part[], more: readonly Part[]): void => {
    places.heard(more)
    parts.push(...more)
  }

  const read = (frame: Json): Part[] => {
    switch (frame['type']) {
      case 'response.output_text.delta': {
        const logprobs = asArray(frame['logprobs'])
        const parts = text(itemAt(frame), asText(frame['delta']))
        return logprobs.length > 0 ? [...parts, { type: 'logprobs', content: logprobs.map(sayLogprob) }] : parts
      }
      case 'response.refusal.delta':
        return text(itemAt(frame), asText(frame['delta']))
      case 'response.reasoning_summary_part.added':
        // Each part is a paragraph of its own.
        return asCount(frame['summary_index']) ? [{ type: 'reasoning', delta: '\n\n' }] : []
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': {
        const delta = asText(frame['delta'])
        itemAt(frame).text += delta
        return delta === '' ? [] : [{ type: 'reasoning', delta }]
      }
      case 'response.output_item.added': {
        const said = asObject(frame['item'])
        return said?.['type'] === 'function_call' ? begin(itemAt(frame), said) : []
      }
      case 'response.function_call_arguments.delta':
        return grow(itemAt(frame), asText(frame['delta']))
      case 'response.function_call_arguments.done': {
        const item = itemAt(frame)
        return item.call ? grow(item, rest(asText(frame['arguments']), item.call.arguments)) : []
      }
      case 'response.image_generation_call.partial_image':
        return draw(itemAt(frame), asText(frame['partial_image_b64']), true)
      case 'response.output_item.done':
        itemsCame = true
        return finishItem(itemAt(frame), asObject(frame['item']) ?? {})
      case 'response.completed':
      case 'response.incomplete':
        return finish(asObject(frame['response']) ?? {})
      case 'response.failed':
        throw errorInStream(asObject(frame['response']) ?? frame)
      case 'error':
        throw errorInStream(frame)
      default:
        return []
    }
  }

  return createReader({
    isDone: () => done,
    frame(frame) {
      if (frame['error'] !== undefined && frame['error'] !== null) throw errorInStream(frame)
      if (frame['type'] === undefined && (frame['object'] === 'response' || Array.isArray(frame['output']))) {
        if (frame['status'] === 'failed') throw errorInStream(frame)
        return finish(frame)
      }
      const parts: Part[] = []
      add(parts, read(frame))
      return parts
    },
    end() {
      throw cutShort()
    },
  })
}

const contentText = (part: unknown): string => asText(asObject(part)?.['text']) || asText(asObject(part)?.['refusal'])

/** The summary, or where there is none the thoughts themselves. */
function reasoningText(said: Json): string {
  const summary = asArray(said['summary']).map(contentText).join('\n\n')
  return summary || asArray(said['content']).map(contentText).join('\n\n')
}

/** In the shape of chat completions, which has the bytes besides. */
function sayLogprob(value: unknown): Json {
  const { token = '', logprob = 0, top_logprobs: top } = asObject(value) ?? {}
  const one = (entry: unknown): Json => {
    const said = asObject(entry) ?? {}
    return { token: said['token'] ?? '', logprob: said['logprob'] ?? 0, bytes: null }
  }
  return { ...one({ token, logprob }), top_logprobs: asArray(top).map(one) }
}

function usageOf(response: Json): Part[] {
  const usage = asObject(response['usage'])
  if (!usage) return []
  const inputTokens = asTokens(usage['input_tokens'])
  const outputTokens = asTokens(usage['output_tokens'])
  if (inputTokens === null && outputTokens === null) return []
  return [
    {
      type: 'usage',
      inputTokens,
      outputTokens,
      cachedTokens: asTokens(asObject(usage['input_tokens_details'])?.['cached_tokens']) ?? undefined,
      reasoningTokens: asTokens(asObject(usage['output_tokens_details'])?.['reasoning_tokens']) ?? undefined,
    },
  ]
}

function reasonOf(response: Json, called: boolean): string {
  if (response['status'] !== 'incomplete') return called ? 'tool_calls' : 'stop'
  const reason = asText(asObject(response['incomplete_details'])?.['reason'])
  return reason === 'max_output_tokens' || reason === '' ? 'length' : reason
}
