/** Anthropic's Messages wire: server-sent events to `message_stop`, or one whole `message` object. */
import type { Turn, TurnImage, TurnMessage, Wire } from '../types.ts'
import { createAnthropicReader } from './anthropic-reader.ts'
import { thinksAdaptively, claudeOf, closedSchema, mayThink, samplingOf, takesSchema, thinkingOf } from './claude.ts'
import { argumentsOf, type Json } from './json.ts'
import { createCallIds, type CallIds } from '../unique-call-ids.ts'
import { orderAnswer } from './answer-order.ts'

export const anthropic: Wire = {
  id: 'anthropic',
  framing: 'sse',
  path: '/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  say(turn) {
    const { model, options } = turn
    const { effort, ...limits } = thinkingOf(model, options, mayThink(turn, anthropic.id))
    const thinks = limits.thinking !== undefined && limits.thinking['type'] !== 'disabled'
    const format = turn.format?.type === 'schema' && takesSchema(claudeOf(model)) ? sayFormat(turn.format) : undefined
    const system = [turn.system, format ? null : askForFormat(turn.format)].filter(Boolean).join('\n\n')
    const output = { ...(effort ? { effort } : {}), ...(format ? { format } : {}) }
    return {
      model,
      ...limits,
      ...(system === '' ? {} : { system }),
      messages: sayMessages(turn, thinks || (thinksAdaptively(claudeOf(model)) && limits.thinking === undefined)),
      ...sayTools(turn),
      ...samplingOf(model, options, thinks),
      ...(options.stop && options.stop.length > 0 ? { stop_sequences: options.stop } : {}),
      ...(Object.keys(output).length > 0 ? { output_config: output } : {}),
      stream: true,
    }
  },
  reader: () => createAnthropicReader('anthropic'),
}

/** Neighbours of one role become one message: all results of a turn's calls must stand together. */
function sayMessages({ messages, model }: Turn, withThoughts: boolean): Json[] {
  const said: { role: string; content: Json[] }[] = []
  const ids = createCallIds(soundId)
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = sayBlocks(message, { model, withThoughts, ids })
    const last = said.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else if (blocks.length > 0) said.push({ role, content: blocks })
  }
  const last = said.at(-1)
  const ending = last?.role === 'assistant' ? last.content.at(-1) : undefined
  // An answer to go on with may not end in white space.
  if (ending?.['type'] === 'text') ending['text'] = String(ending['text']).trimEnd()
  return said
}

interface Saying {
  readonly model: string
  readonly withThoughts: boolean
  readonly ids: CallIds
}

function sayBlocks(message: TurnMessage, { model, withThoughts, ids }: Saying): Json[] {
  if (message.role === 'tool') {
    const { callId, text, images = [] } = message
    const content = images.length === 0 ? text : [...sayText(text), ...images.map(sayImage)]
    return [{ type: 'tool_result', tool_use_id: ids.result(callId), content }]
  }
  if (message.role === 'user') return [...message.images.map(sayImage), ...sayText(message.text)]
  return orderAnswer(message, anthropic.id, model).flatMap((piece): Json[] => {
    if (piece.type === 'item') return withThoughts ? [piece.item] : []
    if (piece.type === 'text') return sayText(piece.text)
    const { id, name, arguments: args } = piece.call
    return [{ type: 'tool_use', id: ids.call(id), name, input: argumentsOf(args) }]
  })
}

const sayImage = ({ mediaType, data }: TurnImage): Json => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
})

// A block without any word is refused.
const sayText = (text: string): Json[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

/** Other providers' ids may hold what this one refuses. */
const soundId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_')

function sayTools({ tools: offered, formerTools = [], toolChoice: choose, parallelToolCalls }: Turn): Json {
  // Calls may stand in the history only beside declared tools.
  const tools = offered.length > 0 ? offered : formerTools
  const toolChoice = offered.length > 0 ? choose : 'none'
  if (tools.length === 0) return {}
  const alone = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  const choice = (): Json | null => {
    if (typeof toolChoice === 'object') return { type: 'tool', name: toolChoice.name, ...alone }
    if (toolChoice === 'none') return { type: 'none' }
    if (toolChoice === 'required') return { type: 'any', ...alone }
    return toolChoice === 'auto' || parallelToolCalls === false ? { type: 'auto', ...alone } : null
  }
  const tool_choice = choice()
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: { type: 'object', ...parameters },
    })),
    ...(tool_choice ? { tool_choice } : {}),
  }
}

const sayFormat = ({ schema }: { schema: Json }): Json => ({ type: 'json_schema', schema: closedSchema(schema) })

/** Where the API has no word for the form of the text, the model is asked for it. */
export function askForFormat(format: Turn['format']): string | null {
  if (!format) return null
  const only = 'Answer with one JSON object and nothing else: no words around it, and no code fence.'
  return format.type === 'json'
    ? only
    : `${only} It must be valid against this JSON Schema:\n${JSON.stringify(format.schema)}`
}
