/** Gemini's generateContent, as server-sent events or one whole object, and its list of models. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type Answer, answer } from './answers.ts'
import { listedModels } from './models.ts'
import { embedding } from './ollama.ts'
import { inBase64 } from './pictures.ts'
import { faultFor, type State } from './state.ts'
import { strictGenerate } from './strict.ts'
import { type Frame, json, refuse, type Refusals, writeFrames } from './writing.ts'

interface Part {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  inlineData?: { mimeType: string; data: string }
  functionCall?: { name: string; args?: unknown }
  functionResponse?: { name: string; response: { output?: string } }
}
interface Body {
  contents: { role?: string; parts: Part[] }[]
  systemInstruction?: { parts: Part[] }
  tools?: { functionDeclarations: { name: string; parametersJsonSchema?: unknown }[] }[]
  toolConfig?: { functionCallingConfig: { mode: string } }
  generationConfig?: {
    maxOutputTokens?: number
    responseModalities?: string[]
    thinkingConfig?: { includeThoughts?: boolean }
  }
}

const statuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const problem: Refusals = (message, _, code, status = 400) => ({
  error: {
    code: status,
    message:
      code === 'context_length_exceeded'
        ? 'The input token count (9000) exceeds the maximum number of tokens allowed (8192).'
        : message,
    status: statuses[status] ?? 'INVALID_ARGUMENT',
  },
})

const operation = /^\/v1beta\/models\/(.+):(generateContent|streamGenerateContent|batchEmbedContents)$/

/** Answers when the call is one of the wire; false otherwise. */
export async function gemini(
  state: State,
  method: string,
  url: URL,
  body: unknown,
  headers: IncomingHttpHeaders,
  res: ServerResponse,
) {
  if (!url.pathname.startsWith('/v1beta/')) return false
  const { apiKey, listFault } = state.control
  const key = headers['x-goog-api-key']
  if (apiKey !== null && key === undefined) {
    return json(res, 403, problem("Method doesn't allow unregistered callers.", '', null, 403))
  }
  // It says that a key is wrong with 400.
  if (apiKey !== null && key !== apiKey) {
    return json(res, 400, problem('API key not valid. Please pass a valid API key.', '', null, 400))
  }
  if (method === 'GET' && url.pathname === '/v1beta/models') {
    if (await refuse(res, listFault, problem)) return
    return list(state, res)
  }
  const [, name, verb] = operation.exec(url.pathname) ?? []
  if (method !== 'POST' || !name) return false
  if (verb === 'batchEmbedContents') return embed(state, decodeURIComponent(name), body as EmbedBody, res)
  const streamed = verb === 'streamGenerateContent'
  return speak(
    state,
    decodeURIComponent(name),
    body as Body,
    { streamed, events: url.searchParams.get('alt') === 'sse' },
    res,
  )
}

/** The name in the path of a call, for the record of what was asked. */
export const geminiModel = (path: string): string | null => {
  const [, name] = operation.exec(path) ?? []
  return name ? decodeURIComponent(name) : null
}

interface EmbedBody {
  requests: { model: string; content: { parts: Part[] } }[]
}

async function embed(state: State, model: string, { requests }: EmbedBody, res: ServerResponse): Promise<void> {
  if (await refuse(res, faultFor(state, model), problem)) return
  if (requests.length > 100 || requests.some((one) => one.model !== `models/${model}`)) {
    return json(res, 400, problem('at most 100 requests can be in one batch', '', null))
  }
  json(res, 200, { embeddings: requests.map(({ content }) => ({ values: embedding(textOf(content.parts), model) })) })
}

function list(state: State, res: ServerResponse): void {
  const models = listedModels(state).map(({ name, context, capabilities }) => ({
    name: `models/${name}`,
    version: '001',
    displayName: name,
    inputTokenLimit: context,
    outputTokenLimit: 8192,
    supportedGenerationMethods: capabilities.includes('embedding')
      ? ['embedContent']
      : ['generateContent', 'countTokens'],
    ...(capabilities.includes('thinking') ? { thinking: true } : {}),
  }))
  json(res, 200, { models })
}

async function speak(
  state: State,
  model: string,
  body: Body,
  how: { streamed: boolean; events: boolean },
  res: ServerResponse,
): Promise<void> {
  const fault = faultFor(state, model)
  if (await refuse(res, fault, problem)) return
  if (model === 'absent')
    return json(res, 404, problem(`models/${model} is not found for API version v1beta`, '', null, 404))
  const wrong = complaint(body) ?? (state.control.strict ? strictGenerate({ ...body }) : null)
  if (wrong) return json(res, 400, problem(wrong, '', null))
  const said = answer(
    {
      model,
      system: body.systemInstruction ? textOf(body.systemInstruction.parts) : null,
      messages: body.contents.map(({ role, parts }) => ({
        role: parts.some((part) => part.functionResponse) ? 'tool' : role === 'model' ? 'assistant' : 'user',
        text: textOf(parts),
        images: parts.filter((part) => part.inlineData).length,
      })),
      tools:
        body.toolConfig?.functionCallingConfig.mode === 'NONE'
          ? []
          : (body.tools ?? []).flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)),
      think: body.generationConfig?.thinkingConfig?.includeThoughts === true,
      limit: body.generationConfig?.maxOutputTokens ?? null,
      draws: body.generationConfig?.responseModalities?.includes('IMAGE') === true,
    },
    state.control,
  )
  const finishReason = said.finish === 'length' ? 'MAX_TOKENS' : 'STOP'
  const head = { modelVersion: model, responseId: `resp-${state.seen.length}` }
  const usageMetadata = {
    promptTokenCount: said.inputTokens,
    candidatesTokenCount: said.outputTokens - said.reasoning.length,
    ...(said.reasoning.length > 0 ? { thoughtsTokenCount: said.reasoning.length } : {}),
    totalTokenCount: said.inputTokens + said.outputTokens,
  }
  const candidate = (parts: Part[], last = false) => ({
    candidates: [{ content: { parts, role: 'model' }, ...(last ? { finishReason } : {}), index: 0 }],
    usageMetadata: last ? usageMetadata : { promptTokenCount: said.inputTokens, totalTokenCount: said.inputTokens },
    ...head,
  })
  if (!how.streamed) return json(res, 200, candidate(partsOf(said), true))
  if (!how.events)
    return json(
      res,
      200,
      partsOf(said).map((part, at, all) => candidate([part], at === all.length - 1)),
    )
  function* frames(): Iterable<Frame> {
    const parts = partsOf(said)
    for (const part of parts) yield event(candidate([part]), true)
    yield event(candidate([{ text: '' }], true), false)
  }
  await writeFrames(res, frames(), { framing: sse, fault, control: state.control, msPerToken: said.msPerToken })
}

/** What the API refuses. */
function complaint({ contents }: Body): string | null {
  if (!Array.isArray(contents) || contents.length === 0)
    return '* GenerateContentRequest.contents: contents is not specified'
  if (contents.some(({ parts }) => !Array.isArray(parts) || parts.length === 0))
    return 'contents.parts must not be empty.'
  for (const [at, { parts }] of contents.entries()) {
    const calls = parts.filter((part) => part.functionCall).length
    const answers = contents[at + 1]?.parts.filter((part) => part.functionResponse).length ?? 0
    if (calls > 0 && calls !== answers) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts.'
    }
  }
  return null
}

const partsOf = (said: Answer): Part[] => [
  ...said.reasoning.map((text) => ({ text, thought: true })),
  ...said.pieces.map((text) => ({ text })),
  ...said.pictures.flatMap(({ drafts, whole }) => [
    ...drafts.slice(0, 1).map((draft) => ({ inlineData: inline(draft), thought: true })),
    { inlineData: inline(whole), thoughtSignature: 'c2lnbmVkLWJ5LXRoZS1icnVzaA==' },
  ]),
  ...said.toolCalls.map(({ name, arguments: args }, at) => ({
    functionCall: { name, args },
    ...(at === 0 ? { thoughtSignature: 'c2lnbmVkLWJ5LXRoZS1tb2RlbA==' } : {}),
  })),
]

const inline = (bytes: Buffer) => ({ mimeType: 'image/png', data: inBase64(bytes) })

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => part.text ?? part.functionResponse?.response.output ?? '').join('')

const event = (value: unknown, token: boolean): Frame => ({ text: `data: ${JSON.stringify(value)}\r\n\r\n`, token })

const sse = {
  contentType: 'text/event-stream',
  error: 'data: {"error":{"code":500,"message":"An internal error: sk-leaked-in-body","status":"INTERNAL"}}\r\n\r\n',
  broken: 'data: {"candidates":[{"content":{"par\r\n\r\n',
  half: 'data: {"candidates":[{"content":{"parts":[{"te',
  around: ['data: {"candidates":[{"content":{"parts":[{"text":"[', ']"}],"role":"model"},"index":0}]}\r\n\r\n'],
} as const
