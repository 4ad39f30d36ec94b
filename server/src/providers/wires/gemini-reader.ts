/** Reads the pieces of generateContent, whether they come as events, in a list, or as one. */
import { errorInStream, keyRefused, refusedByStatus } from '../faults.ts'
import type { Part, ProviderFailure, WireReader } from '../types.ts'
import { newCallId } from './call-id.ts'
import type { SignedPart } from './gemini-request.ts'
import { asArray, asCount, asObject, asText, asTokens, cutShort, type Json, mostCallsRead, parseFrame } from './json.ts'
import { createReplayPlaces } from './answer-order.ts'
import { readDrawn } from './drawn.ts'

export function createGeminiReader(): WireReader {
  const places = createReplayPlaces('gemini')
  let done = false
  let calls = 0
  let pictures = 0

  const mark = (signed: SignedPart): Part => places.mark({ ...signed })

  const readPart = (part: Json): Part[] => {
    const text = asText(part['text'])
    const signature = asText(part['thoughtSignature'])
    const picture = asText(asObject(part['inlineData'])?.['data'])
    if (picture !== '') return readPicture(picture, part['thought'] === true)
    if (part['thought'] === true) return text ? [{ type: 'reasoning', delta: text }] : []
    const call = asObject(part['functionCall'])
    if (call) return readCall(call, signature)
    const parts: Part[] = text ? [{ type: 'text', delta: text }] : []
    places.heard(parts)
    return signature ? [...parts, mark({ of: 'text', length: text.length, signature })] : parts
  }

  /** One that belongs to the thoughts is a draft of the one to come. Its signature is not kept: it goes back as a file. */
  const readPicture = (data: string, partial: boolean): Part[] => {
    const index = pictures
    if (!partial) pictures += 1
    return readDrawn(index, data, partial)
  }

  const readCall = (call: Json, signature: string): Part[] => {
    const name = asText(call['name'])
    if (!name || calls >= mostCallsRead) return []
    const index = calls
    calls += 1
    const given = asText(call['id'])
    const callId = given || newCallId()
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
    isDone: () => done,
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
  const inputTokens = asTokens(usage['promptTokenCount'])
  const said = asTokens(usage['candidatesTokenCount'])
  const thought = asTokens(usage['thoughtsTokenCount'])
  const cached = asTokens(usage['cachedContentTokenCount'])
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
