/** The local runtime's chat: newline-delimited JSON. */
import { errorInStream } from '../faults.ts'
import type { Part, Turn, TurnMessage, Wire, WireReader } from '../types.ts'
import { newCallId } from './call-id.ts'
import { withResultImages } from './result-images.ts'
import {
  argumentsOf,
  asArray,
  asObject,
  asText,
  asTokens,
  cutShort,
  type Json,
  mostCallsRead,
  parseFrame,
  withoutUnset,
} from './json.ts'

export const ollama: Wire = {
  id: 'ollama',
  framing: 'ndjson',
  path: '/api/chat',
  say: (turn) => ({
    model: turn.model,
    messages: [
      ...(turn.system ? [{ role: 'system', content: turn.system }] : []),
      ...withResultImages(turn.messages).map(sayMessage),
    ],
    // It knows no choice: what may not be used is not offered.
    ...(turn.tools.length > 0 && turn.toolChoice !== 'none'
      ? { tools: turn.tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(turn.logprobs ? { logprobs: true, top_logprobs: turn.logprobs.top } : {}),
    ...(turn.options.think === undefined ? {} : { think: turn.options.think }),
    ...(turn.format ? { format: turn.format.type === 'json' ? 'json' : turn.format.schema } : {}),
    ...(turn.options.keep_alive === undefined ? {} : { keep_alive: turn.options.keep_alive }),
    options: sayOptions(turn),
    stream: true,
  }),
  reader,
}

function sayMessage(message: TurnMessage): Json {
  if (message.role === 'user') {
    const images = message.images.map((image) => image.data)
    return { role: 'user', content: message.text, ...(images.length > 0 ? { images } : {}) }
  }
  if (message.role === 'tool') return { role: 'tool', content: message.text, tool_name: message.name }
  const calls = message.toolCalls.map((call) => ({
    function: { name: call.name, arguments: argumentsOf(call.arguments) },
  }))
  return { role: 'assistant', content: message.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

function sayOptions({ options: { think: _, keep_alive: _time, format: _form, ...options } }: Turn): Json {
  return withoutUnset(options)
}

function reader(): WireReader {
  let done = false
  let calls = 0
  return {
    isDone: () => done,
    frame(data) {
      const frame = parseFrame(data)
      if (!frame || done) return []
      if (frame['error'] !== undefined) throw errorInStream(frame)
      const parts: Part[] = []
      const message = asObject(frame['message'])
      const thinking = asText(message?.['thinking'])
      if (thinking) parts.push({ type: 'reasoning', delta: thinking })
      const content = asText(message?.['content'])
      if (content) parts.push({ type: 'text', delta: content })
      const logprobs = asArray(frame['logprobs'])
      if (logprobs.length > 0) parts.push({ type: 'logprobs', content: logprobs })
      for (const call of asArray(message?.['tool_calls'])) {
        const made = readCall(call)
        if (!made || calls >= mostCallsRead) continue
        parts.push({ type: 'tool-call-start', index: calls, id: made.id, name: made.name })
        parts.push({ type: 'tool-call-delta', index: calls, delta: made.arguments })
        parts.push({ type: 'tool-call', call: made })
        calls += 1
      }
      if (frame['done'] === true) {
        done = true
        parts.push(...readEnd(frame, calls > 0))
      }
      return parts
    },
    end() {
      if (!done) throw cutShort()
      return []
    },
  }
}

function readCall(value: unknown) {
  const call = asObject(value)
  const fn = asObject(call?.['function'])
  const name = asText(fn?.['name'])
  if (!name) return null
  const given = fn?.['arguments']
  const id = asText(call?.['id']) || newCallId()
  return { id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }
}

function readEnd(frame: Json, called: boolean): Part[] {
  const inputTokens = asTokens(frame['prompt_eval_count'])
  const outputTokens = asTokens(frame['eval_count'])
  const reason = asText(frame['done_reason']) || 'stop'
  return [
    ...(inputTokens === null && outputTokens === null ? [] : [{ type: 'usage' as const, inputTokens, outputTokens }]),
    { type: 'finish', reason: called && reason === 'stop' ? 'tool_calls' : reason },
  ]
}
