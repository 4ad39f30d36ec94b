/** How a turn is worded for Converse. */
import type { Turn, TurnImage, TurnMessage } from '../types.ts'
import { askForFormat } from './anthropic.ts'
import { thinksAdaptively, claudeOf, closedSchema, mayThink, samplingOf, takesSchema, thinkingOf } from './claude.ts'
import { argumentsOf, type Json, withoutUnset } from './json.ts'
import { type CallIds, createCallIds } from '../unique-call-ids.ts'
import { orderAnswer } from './answer-order.ts'

const id = 'bedrock'
const leftOut = '(What came before is left out.)'

export function toConverseRequest(turn: Turn): Json {
  const { limits, extra, withThoughts } = sayLimits(turn)
  const toolConfig = sayTools(turn)
  const textFormat = sayFormat(turn)
  const system = [turn.system, textFormat ? null : askForFormat(turn.format)].filter(Boolean).map((text) => ({ text }))
  return {
    messages: sayMessages(turn, withThoughts),
    ...(system.length > 0 ? { system } : {}),
    ...(Object.keys(limits).length > 0 ? { inferenceConfig: limits } : {}),
    ...(toolConfig ? { toolConfig } : {}),
    ...(textFormat ? { outputConfig: { textFormat } } : {}),
    ...(Object.keys(extra).length > 0 ? { additionalModelRequestFields: extra } : {}),
  }
}

/**
 * The roles take turns: what follows in the same one is joined. There is no word for "use none of the tools", and calls
 * may stand in the history only beside declared tools: without any, the calls of before are told as text.
 */
function sayMessages(turn: Turn, withThoughts: boolean): Json[] {
  const messages: { role: 'user' | 'assistant'; content: Json[] }[] = []
  const told = turn.toolChoice === 'none' || turn.tools.length === 0
  const ids = createCallIds(soundId)
  const saying = { model: turn.model, withThoughts, told, ids }
  for (const message of turn.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.role === 'assistant' ? sayAnswer(message, saying) : sayAsked(message, saying)
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) messages.push({ role, content })
  }
  // A chat that was cut at its beginning may start with an answer, which is refused.
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [{ text: leftOut }] })
  return messages
}

interface Saying {
  readonly model: string
  readonly withThoughts: boolean
  /** Calls and their results are told as text. */
  readonly told: boolean
  readonly ids: CallIds
}

function sayAsked(message: Exclude<TurnMessage, { role: 'assistant' }>, { told, ids }: Saying): Json[] {
  if (message.role === 'tool') {
    if (told) return sayText(`(${message.name} answered: ${message.text})`)
    const { callId, text, images = [] } = message
    return [{ toolResult: { toolUseId: ids.result(callId), content: [...sayText(text), ...images.map(sayImage)] } }]
  }
  return [...message.images.map(sayImage), ...sayText(message.text)]
}

const sayImage = ({ mediaType, data }: TurnImage): Json => ({
  image: { format: mediaType.replace(/^image\//, '').replace('jpg', 'jpeg'), source: { bytes: data } },
})

function sayAnswer(message: TurnMessage & { role: 'assistant' }, { model, withThoughts, told, ids }: Saying): Json[] {
  return orderAnswer(message, id, model).flatMap((piece): Json[] => {
    if (piece.type === 'text') return sayText(piece.text)
    if (piece.type === 'item') return withThoughts ? [{ reasoningContent: piece.item }] : []
    const { name, arguments: args } = piece.call
    if (told) return sayText(`(used ${name} with ${args || '{}'})`)
    return [{ toolUse: { toolUseId: ids.call(piece.call.id), name, input: argumentsOf(args) } }]
  })
}

/** Blank text is refused there. */
const sayText = (text: string): Json[] => (text.trim() === '' ? [] : [{ text }])

/** 64 characters at most, with room for the number of one that repeats. */
const soundId = (id: string): string => id.replace(/[^a-zA-Z0-9_.:-]/g, '_').slice(0, 56) || 'call'

function sayTools({ tools, toolChoice }: Turn): Json | null {
  if (tools.length === 0 || toolChoice === 'none') return null
  const specs = tools.map(({ name, description, parameters }) => ({
    toolSpec: {
      name,
      ...(description ? { description } : {}),
      inputSchema: { json: Object.keys(parameters).length > 0 ? parameters : { type: 'object' } },
    },
  }))
  if (toolChoice === undefined || toolChoice === 'auto') return { tools: specs }
  return { tools: specs, toolChoice: toolChoice === 'required' ? { any: {} } : { tool: { name: toolChoice.name } } }
}

function sayFormat({ format, model }: Turn): Json | null {
  if (format?.type !== 'schema' || !takesFormat(model)) return null
  const name = format.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  const schema = JSON.stringify(closedSchema(format.schema))
  return { type: 'json_schema', structure: { jsonSchema: { name, schema } } }
}

/** Other models there are asked in words, as all are for JSON of any form. */
const takesFormat = (model: string): boolean =>
  takesSchema(claudeOf(model)) ||
  /(deepseek|qwen|moonshot|minimax|nvidia|zai|mistral\.(mistral-large-3|ministral|magistral)|google\.gemma|openai\.gpt-oss)/.test(
    model,
  )

/** Limits and sampling, and beside them the words of the models' makers: thinking has no common one. */
function sayLimits(turn: Turn): { limits: Json; extra: Json; withThoughts: boolean } {
  const { model, options } = turn
  const stopSequences = options.stop && options.stop.length > 0 ? options.stop : undefined
  if (claudeOf(model).version === null) {
    const { temperature, top_p: topP, num_predict: maxTokens } = options
    const limits = { maxTokens, temperature: atMostOne(temperature), topP, stopSequences }
    return { limits: withoutUnset(limits), extra: sayEffort(turn), withThoughts: true }
  }
  const { max_tokens, thinking, effort } = thinkingOf(model, options, mayThink(turn, id))
  const thinks = thinking !== undefined && thinking['type'] !== 'disabled'
  const { temperature, top_p: topP, ...others } = samplingOf(model, options, thinks)
  // Where nobody asked for a limit or for thoughts, the provider's own stands.
  const maxTokens = thinks || options.num_predict !== undefined ? max_tokens : undefined
  return {
    limits: withoutUnset({ maxTokens, temperature, topP, stopSequences }),
    extra: withoutUnset({ thinking, output_config: effort ? { effort } : undefined, ...others }),
    withThoughts: thinks || (thinksAdaptively(claudeOf(model)) && thinking === undefined),
  }
}

const atMostOne = (value: number | undefined): number | undefined => (value === undefined ? value : Math.min(value, 1))

function sayEffort({ model, options: { think } }: Turn): Json {
  if (think === undefined || think === false) return {}
  const level = think === true ? 'medium' : think
  if (/openai\.gpt-oss/.test(model)) return { reasoning_effort: level }
  return /amazon\.nova-2/.test(model) ? { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } } : {}
}
