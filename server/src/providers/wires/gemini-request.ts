/** How a turn is worded for generateContent. */
import type { Turn, TurnImage, TurnMessage } from '../types.ts'
import { askForFormat } from './anthropic.ts'
import { argumentsOf, asText, type Json, withoutUnset } from './json.ts'
import { orderAnswer } from './answer-order.ts'

const id = 'gemini'
const leftOut = '(What came before is left out.)'

export function toGenerateRequest(turn: Turn): Json {
  // Before 3, a form of the text and tools exclude each other: then the form is asked for in words.
  const inWords = turn.tools.length > 0 && isOld(turn.model) ? askForFormat(turn.format) : null
  const system = [turn.system, inWords].filter(Boolean).join('\n\n')
  const contents = sayContents(turn)
  const takesSystem = !/gemma-3/.test(turn.model)
  if (!takesSystem && system !== '') contents.unshift({ role: 'user', parts: [{ text: system }] })
  return withoutUnset({
    contents,
    systemInstruction: takesSystem && system !== '' ? { parts: [{ text: system }] } : undefined,
    ...sayTools(turn),
    generationConfig: sayConfig(inWords === null ? turn : { ...turn, format: undefined }),
  })
}

const isOld = (model: string): boolean => /gemini-[12]/.test(model)

/** What a piece of an answer carried beside its content: a text that was just said, or a call that follows. */
export interface SignedPart {
  readonly of: 'text' | 'call'
  /** Of the text, in characters. */
  readonly length?: number
  readonly signature?: string
  /** The provider's own id of a call. */
  readonly id?: string
}

function sayContents({ messages, model }: Turn): Json[] {
  const contents: { role: string; parts: Json[] }[] = []
  /** The ids that the provider gave itself: no others are shown to it. */
  const own = new Set<string>()
  let answering = false
  for (const message of messages) {
    const last = contents.at(-1)
    if (message.role === 'assistant') contents.push({ role: 'model', parts: sayAnswer(message, model, own) })
    // The results of one round of calls stand in one piece.
    else if (message.role === 'tool' && answering && last) last.parts.push(...sayAsked(message, own))
    else contents.push({ role: 'user', parts: sayAsked(message, own) })
    answering = message.role === 'tool'
  }
  // A chat that was cut at its beginning may start with an answer, which is refused.
  if (contents[0]?.role === 'model') contents.unshift({ role: 'user', parts: [{ text: leftOut }] })
  return contents
}

function sayAsked(message: Exclude<TurnMessage, { role: 'assistant' }>, own: ReadonlySet<string>): Json[] {
  if (message.role === 'tool') {
    const { name, text, callId, images = [] } = message
    const functionResponse = { ...(own.has(callId) ? { id: callId } : {}), name, response: { output: text } }
    return [{ functionResponse }, ...images.map(sayImage)]
  }
  return [...message.images.map(sayImage), { text: message.text }]
}

const sayImage = ({ mediaType, data }: TurnImage): Json => ({ inlineData: { mimeType: mediaType, data } })

/** A signature goes back in the very piece that it came with. */
function sayAnswer(message: TurnMessage & { role: 'assistant' }, model: string, own: Set<string>): Json[] {
  const parts: Json[] = []
  let before: SignedPart | null = null
  let first = true
  for (const piece of orderAnswer(message, id, model)) {
    if (piece.type === 'text') {
      parts.push({ text: piece.text })
    } else if (piece.type === 'item') {
      const signed = piece.item as unknown as SignedPart
      if (signed.of === 'call') before = signed
      else parts.push(...signText(parts.pop(), signed))
    } else {
      const { name, arguments: args } = piece.call
      if (before?.id) own.add(before.id)
      const functionCall = { ...(before?.id ? { id: before.id } : {}), name, args: argumentsOf(args) }
      const thoughtSignature = before?.signature ?? (first && signs(model) ? unsigned : undefined)
      parts.push({ functionCall, ...(thoughtSignature ? { thoughtSignature } : {}) })
      before = null
      first = false
    }
  }
  return parts.length > 0 ? parts : [{ text: '' }]
}

/** From 3 on, the first call of a round is refused without its signature; for calls of others there is this word. */
const unsigned = 'skip_thought_signature_validator'
const signs = (model: string): boolean => /gemini-([3-9]|(pro|flash|flash-lite)-latest)/.test(model)

/** Cuts the signed end off a text; a signature may also come with no text at all. */
function signText(last: Json | undefined, { length = 0, signature }: SignedPart): Json[] {
  const text = asText(last?.['text'])
  if (last && (text === '' || length === 0 || last['thoughtSignature'] !== undefined)) {
    return [last, { text: '', thoughtSignature: signature }]
  }
  const end = Math.max(text.length - length, 0)
  return [...(end > 0 ? [{ text: text.slice(0, end) }] : []), { text: text.slice(end), thoughtSignature: signature }]
}

function sayTools({ tools, toolChoice }: Turn): Json {
  if (tools.length === 0) return {}
  const functionDeclarations = tools.map(({ name, description, parameters }) =>
    // The older field `parameters` takes a part of JSON Schema only.
    withoutUnset({
      name,
      description,
      parametersJsonSchema: Object.keys(parameters).length > 0 ? parameters : undefined,
    }),
  )
  const mode = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const
  const functionCallingConfig =
    toolChoice === undefined
      ? undefined
      : typeof toolChoice === 'string'
        ? { mode: mode[toolChoice] }
        : { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
  return {
    tools: [{ functionDeclarations }],
    ...(functionCallingConfig ? { toolConfig: { functionCallingConfig } } : {}),
  }
}

function sayConfig({ model, options, format, logprobs, draws }: Turn): Json | undefined {
  const config = withoutUnset({
    temperature: options.temperature,
    topP: options.top_p,
    topK: options.top_k,
    maxOutputTokens: options.num_predict,
    // Five are the most that it takes.
    stopSequences: options.stop && options.stop.length > 0 ? options.stop.slice(0, 5) : undefined,
    seed: options.seed,
    presencePenalty: options.presence_penalty,
    frequencyPenalty: options.frequency_penalty,
    responseModalities: draws ? ['TEXT', 'IMAGE'] : undefined,
    responseMimeType: format ? 'application/json' : undefined,
    responseJsonSchema: format?.type === 'schema' ? format.schema : undefined,
    responseLogprobs: logprobs ? true : undefined,
    logprobs: logprobs && logprobs.top > 0 ? logprobs.top : undefined,
    thinkingConfig: sayThinking(model, options.think),
  })
  return Object.keys(config).length > 0 ? config : undefined
}

const budgets = { low: 1024, medium: 8192, high: 24_576 } as const

/** Models before 2.5 do not think; 2.5 counts tokens; later ones know levels, and cannot be kept from thinking. */
function sayThinking(model: string, think: Turn['options']['think']): Json | undefined {
  if (think === undefined || /gemma|gemini-(1|2\.0)/.test(model)) return undefined
  const counts = /gemini-2\.5/.test(model)
  const pro = /pro/.test(model)
  if (think === false) return counts ? { thinkingBudget: pro ? 128 : 0 } : { thinkingLevel: pro ? 'low' : 'minimal' }
  if (think === true) return { includeThoughts: true }
  return { includeThoughts: true, ...(counts ? { thinkingBudget: budgets[think] } : { thinkingLevel: think }) }
}
