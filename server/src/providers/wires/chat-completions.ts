/** The common chat-completions wire: server-sent events to `[DONE]`. */
import { errorInStream } from '../faults.ts'
import type { Part, Turn, TurnMessage, Wire, WireReader } from '../types.ts'
import { asArray, asCount, asObject, asText, cutShort, type Json, maxToolCalls, parseFrame } from './json.ts'
import { createThinkTags } from './think-tags.ts'

export const chatCompletions: Wire = {
  id: 'chat-completions',
  framing: 'sse',
  path: '/chat/completions',
  say: (turn) => ({
    model: turn.model,
    messages: [...(turn.system ? [{ role: 'system', content: turn.system }] : []), ...turn.messages.map(sayMessage)],
    ...(turn.tools.length > 0 ? { tools: turn.tools.map((tool) => ({ type: 'function', function: tool })) } : {}),
    ...sayOptions(turn),
    stream: true,
    stream_options: { include_usage: true },
  }),
  reader,
}

function sayMessage(message: TurnMessage): Json {
  if (message.role === 'user') {
    if (message.images.length === 0) return { role: 'user', content: message.text }
    const images = message.images.map(({ mediaType, data }) => ({
      type: 'image_url',
      image_url: { url: `data:${mediaType};base64,${data}` },
    }))
    return { role: 'user', content: [...images, { type: 'text', text: message.text }] }
  }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text }
  if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text }
  const calls = message.toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args || '{}' },
  }))
  return { role: 'assistant', content: message.text || null, tool_calls: calls }
}

/** Only what the wire's common core knows; `num_ctx` is for the local runtime to set, and is left out. */
function sayOptions({ options }: Turn): Json {
  const { think } = options
  const said: Json = {
    temperature: options.temperature,
    top_p: options.top_p,
    top_k: options.top_k,
    min_p: options.min_p,
    max_tokens: options.num_predict,
    seed: options.seed,
    repeat_penalty: options.repeat_penalty,
    presence_penalty: options.presence_penalty,
    frequency_penalty: options.frequency_penalty,
    stop: options.stop && options.stop.length > 0 ? options.stop : undefined,
    // `true` is how these models run anyway; `false` is said with the one word that most of them know.
    reasoning_effort: typeof think === 'string' ? think : think === false ? 'none' : undefined,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

function reader(): WireReader {
  const tags = createThinkTags()
  const calls = createCalls()
  let done = false
  let finish: string | null = null

  /** What was held back until the end is known. */
  const close = (): Part[] => {
    done = true
    const made = calls.all()
    const reason = finish ?? 'stop'
    return [
      ...tags.end(),
      ...made,
      { type: 'finish', reason: made.length > 0 && reason === 'stop' ? 'tool_calls' : reason },
    ]
  }
  return {
    get done() {
      return done
    },
    frame(data) {
      if (done) return []
      if (data.trim() === '[DONE]') return close()
      const frame = parseFrame(data)
      if (!frame) return []
      if (frame['error'] !== undefined && frame['error'] !== null) throw errorInStream(frame)
      const parts: Part[] = []
      const choice = asObject(asArray(frame['choices'])[0])
      // A server that does not stream says `message` where others say `delta`.
      const delta = asObject(choice?.['delta']) ?? asObject(choice?.['message'])
      if (delta) {
        const reasoning = reasoningOf(delta)
        if (reasoning) parts.push({ type: 'reasoning', delta: reasoning })
        const content = contentOf(delta['content']) || asText(delta['refusal'])
        if (content) parts.push(...tags.push(content))
        for (const call of asArray(delta['tool_calls'])) calls.add(asObject(call))
      }
      finish = asText(choice?.['finish_reason']) || finish
      parts.push(...usageOf(frame))
      return parts
    },
    end() {
      if (done) return []
      // Some servers end at the finish reason, without `[DONE]`.
      if (finish === null) throw cutShort()
      return close()
    },
  }
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((part) => asText(asObject(part)?.['text']))
    .join('')
}

function reasoningOf(delta: Json): string {
  const plain = asText(delta['reasoning_content']) || asText(delta['reasoning'])
  if (plain) return plain
  return asArray(delta['reasoning_details'])
    .map((detail) => asText(asObject(detail)?.['text']) || asText(asObject(detail)?.['summary']))
    .join('')
}

function usageOf(frame: Json): Part[] {
  const usage = asObject(frame['usage'])
  if (!usage) return []
  const inputTokens = asCount(usage['prompt_tokens'])
  const outputTokens = asCount(usage['completion_tokens'])
  return inputTokens === null && outputTokens === null ? [] : [{ type: 'usage', inputTokens, outputTokens }]
}

/** Joins the pieces of tool calls by their index. */
function createCalls() {
  const byIndex = new Map<number, { id: string; name: string; arguments: string }>()
  let last = 0
  return {
    add(piece: Json | null): void {
      if (!piece) return
      const id = asText(piece['id'])
      const fn = asObject(piece['function'])
      // Where no index is given, an id begins a new call and everything else belongs to the last one.
      const index =
        asCount(piece['index']) ?? (id && byIndex.size > 0 && byIndex.get(last)?.id !== id ? last + 1 : last)
      last = index
      const call = byIndex.get(index) ?? { id: '', name: '', arguments: '' }
      if (!byIndex.has(index) && byIndex.size >= maxToolCalls) return
      byIndex.set(index, call)
      call.id ||= id
      call.name ||= asText(fn?.['name'])
      const args = fn?.['arguments']
      call.arguments +=
        typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args)
    },
    all: (): Part[] =>
      [...byIndex]
        .filter(([, call]) => call.name !== '')
        .map(([index, call]) => ({
          type: 'tool-call',
          call: { id: call.id || `call_${index}`, name: call.name, arguments: call.arguments || '{}' },
        })),
  }
}
