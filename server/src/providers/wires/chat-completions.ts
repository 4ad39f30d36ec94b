/** The common chat-completions wire: server-sent events to `[DONE]`. */
import { errorInStream } from '../faults.ts'
import type { Part, Turn, TurnMessage, Wire, WireReader } from '../types.ts'
import { asArray, asObject, asText, asTokens, cutShort, type Json, parseFrame, withoutUnset } from './json.ts'
import { alwaysThinks, countsCompletion, leastEffort, neverThinks } from './openai-models.ts'
import { createPictureReader } from './pictures.ts'
import { withResultImages } from './result-images.ts'
import { createThinkTags } from './think-tags.ts'
import { createToolCallCollector } from './tool-calls.ts'

export const chatCompletions: Wire = {
  id: 'chat-completions',
  framing: 'sse',
  path: '/chat/completions',
  say: (turn) => ({
    model: turn.model,
    messages: [
      ...(turn.system ? [{ role: 'system', content: turn.system }] : []),
      ...withResultImages(turn.messages).map(sayMessage),
    ],
    ...sayTools(turn),
    ...sayOptions(turn),
    ...(turn.draws ? { modalities: ['image', 'text'] } : {}),
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

function sayTools({ tools, toolChoice, parallelToolCalls }: Turn): Json {
  if (tools.length === 0) return {}
  const choice = typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice
  return {
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  }
}

/** Only what the wire's common core knows; `num_ctx` is for the local runtime to set, and is left out. */
function sayOptions({ model, options, format, logprobs, logitBias }: Turn): Json {
  const { think } = options
  const samples = !alwaysThinks(model) || think === false
  const effort = typeof think === 'string' ? think : think === false ? leastEffort(model) : undefined
  const said: Json = {
    temperature: samples ? options.temperature : undefined,
    top_p: samples ? options.top_p : undefined,
    top_k: options.top_k,
    min_p: options.min_p,
    [countsCompletion(model) ? 'max_completion_tokens' : 'max_tokens']: options.num_predict,
    seed: options.seed,
    repeat_penalty: options.repeat_penalty,
    presence_penalty: options.presence_penalty,
    frequency_penalty: options.frequency_penalty,
    stop: options.stop && options.stop.length > 0 ? options.stop : undefined,
    // `true` is how these models run anyway; `false` is said with the one word that most of them know.
    reasoning_effort: neverThinks(model) ? undefined : effort,
    response_format: format && sayFormat(format),
    logprobs: logprobs ? true : undefined,
    top_logprobs: logprobs && logprobs.top > 0 ? logprobs.top : undefined,
    logit_bias: logitBias,
  }
  return withoutUnset(said)
}

function sayFormat(format: NonNullable<Turn['format']>): Json {
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, strict } = format
  return { type: 'json_schema', json_schema: { name, schema, ...(strict === undefined ? {} : { strict }) } }
}

/** Older and other words for the same ends. */
const reasons: Readonly<Record<string, string>> = {
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  end_turn: 'stop',
  eos: 'stop',
  max_tokens: 'length',
  model_length: 'length',
  safety: 'content_filter',
  sensitive: 'content_filter',
}

function reader(): WireReader {
  const tags = createThinkTags()
  const calls = createToolCallCollector()
  const pictures = createPictureReader()
  let done = false
  let finish: string | null = null

  /** What was held back until the end is known. */
  const close = (): Part[] => {
    done = true
    const said = reasons[finish ?? 'stop'] ?? finish ?? 'stop'
    const reason = calls.any() && said === 'stop' ? 'tool_calls' : said
    return [...tags.end(), ...calls.end(), { type: 'finish', reason }]
  }
  return {
    isDone: () => done,
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
        for (const call of asArray(delta['tool_calls'])) parts.push(...calls.add(asObject(call)))
        for (const image of asArray(delta['images'])) parts.push(...pictures.add(image))
      }
      const logprobs = asArray(asObject(choice?.['logprobs'])?.['content'])
      if (logprobs.length > 0) parts.push({ type: 'logprobs', content: logprobs })
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
  const inputTokens = asTokens(usage['prompt_tokens'])
  const outputTokens = asTokens(usage['completion_tokens'])
  if (inputTokens === null && outputTokens === null) return []
  // Some count what came from the cache in a place of their own.
  const cachedTokens =
    asTokens(asObject(usage['prompt_tokens_details'])?.['cached_tokens']) ?? asTokens(usage['prompt_cache_hit_tokens'])
  const reasoningTokens = asTokens(asObject(usage['completion_tokens_details'])?.['reasoning_tokens'])
  return [
    {
      type: 'usage',
      inputTokens,
      outputTokens,
      cachedTokens: cachedTokens ?? undefined,
      reasoningTokens: reasoningTokens ?? undefined,
    },
  ]
}
