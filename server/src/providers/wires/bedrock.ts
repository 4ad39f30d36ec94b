/** Bedrock's Converse: one shape for every model there, over the binary events of AWS. */
import { newCallId } from './call-id.ts'
import { errorInStream, keyRefused, refusedByStatus } from '../faults.ts'
import { type Part, ProviderFailure, type Wire, type WireReader } from '../types.ts'
import { toConverseRequest } from './bedrock-request.ts'
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

export const bedrock: Wire = {
  id: 'bedrock',
  framing: 'aws-event-stream',
  path: '/model/{model}/converse',
  address,
  say: (turn) => toConverseRequest(turn),
  reader,
}

/** Takes `…/model/{model}/converse`, or a base without the operation. A model's name may be an ARN with slashes. */
function address(route: string, model: string): string {
  const url = new URL(route)
  let path = url.pathname.replace(/\/+$/, '')
  if (!/\/converse(-stream)?$/.test(path)) path += bedrock.path
  url.pathname = path
    .replace(/(\{|%7B)model(\}|%7D)/gi, () => encodeURIComponent(model))
    .replace(/\/converse$/, '/converse-stream')
  return url.href
}

interface Block {
  readonly call: { id: string; name: string; arguments: string; index: number } | null
  text: string
  signature: string
  redacted: string
}

function reader(): WireReader {
  const places = createReplayPlaces('bedrock')
  const blocks = new Map<number, Block>()
  let done = false
  let calls = 0
  let finish = ''

  const blockAt = (payload: Json, call: Block['call'] = null): Block => {
    const index = asCount(payload['contentBlockIndex']) ?? 0
    const known = blocks.get(index)
    if (known && !call) return known
    if (blocks.size >= maxOpenItems) throw tooManyItems()
    const fresh: Block = { call, text: '', signature: '', redacted: '' }
    blocks.set(index, fresh)
    return fresh
  }

  const start = (payload: Json): Part[] => {
    const tool = asObject(asObject(payload['start'])?.['toolUse'])
    const name = asText(tool?.['name'])
    if (!name || calls >= mostCallsRead) return []
    const call = { id: asText(tool?.['toolUseId']) || newCallId(), name, arguments: '', index: calls }
    calls += 1
    blockAt(payload, call)
    return [{ type: 'tool-call-start', index: call.index, id: call.id, name }]
  }

  const delta = (payload: Json): Part[] => {
    const piece = asObject(payload['delta'])
    const text = asText(piece?.['text'])
    if (text) return [{ type: 'text', delta: text }]
    const block = blockAt(payload)
    const input = asText(asObject(piece?.['toolUse'])?.['input'])
    if (input && block.call) {
      block.call.arguments += input
      return [{ type: 'tool-call-delta', index: block.call.index, delta: input }]
    }
    return reason(block, asObject(piece?.['reasoningContent']))
  }

  const reason = (block: Block, piece: Json | null): Part[] => {
    const text = asText(piece?.['text'])
    block.text += text
    block.signature += asText(piece?.['signature'])
    block.redacted += asText(piece?.['redactedContent'])
    return text ? [{ type: 'reasoning', delta: text }] : []
  }

  const stop = (payload: Json): Part[] => {
    const index = asCount(payload['contentBlockIndex']) ?? 0
    const block = blocks.get(index)
    blocks.delete(index)
    return block ? close(block) : []
  }

  const close = ({ call, text, signature, redacted }: Block): Part[] => {
    if (call) {
      const { id, name, index } = call
      const grown: Part[] = call.arguments === '' ? [{ type: 'tool-call-delta', index, delta: '{}' }] : []
      return [...grown, { type: 'tool-call', call: { id, name, arguments: call.arguments || '{}' } }]
    }
    if (redacted) return [places.mark({ redactedContent: redacted })]
    return signature ? [places.mark({ reasoningText: { text, signature } })] : []
  }

  /** What is still open when the answer ends: not every model closes its blocks. */
  const end = (usage: Part[]): Part[] => {
    done = true
    const open = [...blocks.values()].flatMap(close)
    return [...open, ...usage, { type: 'finish', reason: finishOf(finish, calls > 0) }]
  }

  /** The answer of a server that does not stream. */
  const whole = (answer: Json): Part[] => {
    finish = asText(answer['stopReason'])
    const content = asArray(asObject(asObject(answer['output'])?.['message'])?.['content'])
    const parts = content.flatMap((value, contentBlockIndex) => {
      const block = asObject(value) ?? {}
      const tool = asObject(block['toolUse'])
      const reasoning = asObject(block['reasoningContent'])
      const input = JSON.stringify(tool?.['input'] ?? {})
      const piece = tool
        ? { toolUse: { input } }
        : reasoning
          ? { reasoningContent: asObject(reasoning['reasoningText']) ?? reasoning }
          : block
      const read = [
        ...(tool ? start({ start: { toolUse: tool }, contentBlockIndex }) : []),
        ...delta({ delta: piece, contentBlockIndex }),
        ...stop({ contentBlockIndex }),
      ]
      places.heard(read)
      return read
    })
    return [...parts, ...end(readUsage(answer))]
  }

  const event = (name: string, payload: Json): Part[] => {
    switch (name) {
      case 'contentBlockStart':
        return start(payload)
      case 'contentBlockDelta':
        return delta(payload)
      case 'contentBlockStop':
        return stop(payload)
      case 'messageStop':
        finish = asText(payload['stopReason']) || 'end_turn'
        return []
      case 'metadata':
        // The figures come last, behind the reason.
        return finish === '' ? readUsage(payload) : end(readUsage(payload))
      default:
        return []
    }
  }

  return createReader({
    isDone: () => done,
    frame(frame) {
      if (typeof frame['kind'] !== 'string') {
        if (asObject(frame['output']) === null) throw errorInStream(frame)
        return whole(frame)
      }
      if (frame['kind'] !== 'event') throw exception(asText(frame['name']), asObject(frame['payload']) ?? {})
      const parts = event(asText(frame['name']), asObject(frame['payload']) ?? {})
      places.heard(parts)
      return parts
    },
    end() {
      if (finish === '') throw cutShort()
      return end([])
    },
  })
}

/** An exception in mid-stream, by its name; its words are searched for known ones and not kept. */
function exception(name: string, payload: Json): ProviderFailure {
  if (/throttling|tooManyRequests|quota/i.test(name)) return refusedByStatus(429, '', { hasKey: true })
  if (/serviceUnavailable|notReady/i.test(name)) return refusedByStatus(503, '', { hasKey: true })
  if (/internalServer/i.test(name)) return refusedByStatus(500, '', { hasKey: true })
  if (/accessDenied|unrecognizedClient|expiredToken/i.test(name)) return keyRefused(403, true)
  if (/timeout/i.test(name)) return new ProviderFailure('timeout', 'The provider did not answer in time.')
  return errorInStream({ error: payload })
}

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
}

function finishOf(reason: string, called: boolean): string {
  const known = reasons[reason] ?? (reason || 'stop')
  return called && known === 'stop' ? 'tool_calls' : known
}

/** Of the input, Bedrock counts what was read from and written to the cache apart. */
function readUsage(payload: Json): Part[] {
  const usage = asObject(payload['usage'])
  const input = asTokens(usage?.['inputTokens'])
  const outputTokens = asTokens(usage?.['outputTokens'])
  if (input === null && outputTokens === null) return []
  const cachedTokens = asTokens(usage?.['cacheReadInputTokens'])
  const written = asTokens(usage?.['cacheWriteInputTokens']) ?? 0
  const inputTokens = input === null ? null : input + (cachedTokens ?? 0) + written
  return [{ type: 'usage', inputTokens, outputTokens, ...(cachedTokens === null ? {} : { cachedTokens }) }]
}
