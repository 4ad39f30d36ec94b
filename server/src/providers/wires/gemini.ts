/** Gemini's generateContent: server-sent events without an end mark; the last one holds a reason. */
import { errorInStream, keyRefused, refusedByStatus } from '../faults.ts'
import type { Part, ProviderFailure, Turn, TurnMessage, Wire, WireReader } from '../types.ts'
import { asArray, asCount, asObject, asText, cutShort, type Json, maxToolCalls, parseFrame } from './json.ts'
import { createPlaces, weave } from './weave.ts'

const id = 'gemini'

export const gemini: Wire = {
  id,
  framing: 'sse',
  path: '/models/{model}:generateContent',
  address,
  say: (turn) =>
    without({
      contents: sayContents(turn),
      systemInstruction: turn.system ? { parts: [{ text: turn.system }] } : undefined,
      ...sayTools(turn),
      generationConfig: sayConfig(turn),
    }),
  reader,
}

/** Takes `…/models/{model}:generateContent`, or a base without the operation. */
function address(route: string, model: string): string {
  const url = new URL(route)
  const name = model
    .replace(/^models\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
  let path = url.pathname.replace(/\/+$/, '')
  if (!/:(stream)?generateContent$/i.test(path)) path += gemini.path
  url.pathname = path
    .replace(/(\{|%7B)model(\}|%7D)/gi, () => name)
    .replace(/:generateContent$/i, ':streamGenerateContent')
  url.searchParams.set('alt', 'sse')
  return url.href
}

/** What a piece of an answer carried beside its content: a text that was just said, or a call that follows. */
interface Signed {
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
  return contents
}

function sayAsked(message: Exclude<TurnMessage, { role: 'assistant' }>, own: ReadonlySet<string>): Json[] {
  if (message.role === 'tool') {
    const { name, text, callId } = message
    return [{ functionResponse: { ...(own.has(callId) ? { id: callId } : {}), name, response: { output: text } } }]
  }
  const images = message.images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }))
  return [...images, { text: message.text }]
}

/** A signature goes back in the very piece that it came with. */
function sayAnswer(message: TurnMessage & { role: 'assistant' }, model: string, own: Set<string>): Json[] {
  const parts: Json[] = []
  let before: Signed | null = null
  let first = true
  for (const piece of weave(message, id, model)) {
    if (piece.type === 'text') {
      parts.push({ text: piece.text })
    } else if (piece.type === 'item') {
      const signed = piece.item as unknown as Signed
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
function signText(last: Json | undefined, { length = 0, signature }: Signed): Json[] {
  const text = asText(last?.['text'])
  if (last && (text === '' || length === 0 || last['thoughtSignature'] !== undefined)) {
    return [last, { text: '', thoughtSignature: signature }]
  }
  const end = Math.max(text.length - length, 0)
  return [...(end > 0 ? [{ text: text.slice(0, end) }] : []), { text: text.slice(end), thoughtSignature: signature }]
}

/** The wire takes arguments as an object; a call that the model garbled goes back as one without. */
function argumentsOf(text: string): Json {
  try {
    return asObject(JSON.parse(text || '{}')) ?? {}
  } catch {
    return {}
  }
}

function sayTools({ tools, toolChoice }: Turn): Json {
  if (tools.length === 0) return {}
  const functionDeclarations = tools.map(({ name, description, parameters }) =>
    // The older field `parameters` takes a part of JSON Schema only.
    without({ name, description, parametersJsonSchema: Object.keys(parameters).length > 0 ? parameters : undefined }),
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

function sayConfig({ model, options, format, logprobs }: Turn): Json | undefined {
  const config = without({
    temperature: options.temperature,
    topP: options.top_p,
    topK: options.top_k,
    maxOutputTokens: options.num_predict,
    // Five are the most that it takes.
    stopSequences: options.stop && options.stop.length > 0 ? options.stop.slice(0, 5) : undefined,
    seed: options.seed,
    presencePenalty: options.presence_penalty,
    frequencyPenalty: options.frequency_penalty,
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

const without = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined))

function reader(): WireReader {
  const places = createPlaces(id)
  let done = false
  let calls = 0

  const mark = (signed: Signed): Part => places.mark({ ...signed })

  const readPart = (part: Json): Part[] => {
    const text = asText(part['text'])
    const signature = asText(part['thoughtSignature'])
    if (part['thought'] === true) return text ? [{ type: 'reasoning', delta: text }] : []
    const call = asObject(part['functionCall'])
    if (call) return readCall(call, signature)
    const parts: Part[] = text ? [{ type: 'text', delta: text }] : []
    places.heard(parts)
    return signature ? [...parts, mark({ of: 'text', length: text.length, signature })] : parts
  }

  const readCall = (call: Json, signature: string): Part[] => {
    const name = asText(call['name'])
    if (!name || calls >= maxToolCalls) return []
    const index = calls
    calls += 1
    const given = asText(call['id'])
    const callId = given || `call_${index}`
    const args = JSON.stringify(asObject(call['args']) ?? {})
    const signed = { of: 'call', ...(signature ? { signature } : {}), ...(given ? { id: given } : {}) } as const
    const marks = signature || given ? [mark(signed)] : []
    const parts: Part[] = [
      { type: 'tool-call-start', index, id: callId, name },
      { type: 'tool-call-delta', index, delta: args },
      { type: 'tool-call', call: { id: callId, name, arguments: args } },
    ]
    places.heard(parts)
    return [...marks, ...parts]
  }

  const read = (frame: Json): Part[] => {
    if (frame['error'] !== undefined && frame['error'] !== null) throw failureOf(frame)
    const candidate = asObject(asArray(frame['candidates'])[0])
    const content = asObject(candidate?.['content'])
    const parts = asArray(content?.['parts']).flatMap((part) => readPart(asObject(part) ?? {}))
    const blocked = asText(asObject(frame['promptFeedback'])?.['blockReason'])
    const reason = asText(candidate?.['finishReason']) || (blocked ? 'SAFETY' : '')
    if (reason) {
      done = true
      parts.push(...readLogprobs(candidate), ...readUsage(frame), {
        type: 'finish',
        reason: finishOf(reason, calls > 0),
      })
    }
    return parts
  }

  return {
    get done() {
      return done
    },
    frame(data) {
      const parts: Part[] = []
      for (const frame of framesOf(data)) {
        if (done) break
        for (const part of read(frame)) parts.push(part)
      }
      return parts
    },
    end() {
      if (!done) throw cutShort()
      return []
    },
  }
}

/** Whoever is not asked for events, or does not know them, answers with an array of the same objects. */
function framesOf(data: string): Json[] {
  if (!data.trimStart().startsWith('[')) {
    const frame = parseFrame(data)
    return frame ? [frame] : []
  }
  const whole = parseFrame(`{"frames":${data}}`)
  return asArray(whole?.['frames']).map((frame) => asObject(frame) ?? {})
}

/** An error names the status that it would have had as a whole answer. */
function failureOf(frame: Json): ProviderFailure {
  const code = asCount(asObject(frame['error'])?.['code'])
  if (code === 401 || code === 403) return keyRefused(code, true)
  return code === 429 || code === 503 ? refusedByStatus(code, '', { hasKey: true }) : errorInStream(frame)
}

function finishOf(reason: string, called: boolean): string {
  if (reason === 'STOP') return called ? 'tool_calls' : 'stop'
  if (reason === 'MAX_TOKENS') return 'length'
  return filtered.test(reason) ? 'content_filter' : reason.toLowerCase()
}

const filtered = /SAFETY|RECITATION|PROHIBITED_CONTENT|BLOCKLIST|SPII/

function readUsage(frame: Json): Part[] {
  const usage = asObject(frame['usageMetadata'])
  if (!usage) return []
  const inputTokens = asCount(usage['promptTokenCount'])
  const said = asCount(usage['candidatesTokenCount'])
  const thought = asCount(usage['thoughtsTokenCount'])
  const cached = asCount(usage['cachedContentTokenCount'])
  return [
    {
      type: 'usage',
      inputTokens,
      outputTokens: said === null && thought === null ? null : (said ?? 0) + (thought ?? 0),
      ...(cached === null ? {} : { cachedTokens: cached }),
      ...(thought === null ? {} : { reasoningTokens: thought }),
    },
  ]
}

function readLogprobs(candidate: Json | null): Part[] {
  const result = asObject(candidate?.['logprobsResult'])
  const chosen = asArray(result?.['chosenCandidates'])
  if (chosen.length === 0) return []
  const others = asArray(result?.['topCandidates'])
  const entry = (value: unknown) => {
    const token = asText(asObject(value)?.['token'])
    return { token, logprob: asObject(value)?.['logProbability'], bytes: [...Buffer.from(token)] }
  }
  const content = chosen.map((value, at) => ({
    ...entry(value),
    top_logprobs: asArray(asObject(others[at])?.['candidates']).map(entry),
  }))
  return [{ type: 'logprobs', content }]
}
