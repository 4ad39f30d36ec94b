/** Bedrock's Converse, as AWS's binary events or one whole object. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import { type Answer, answer } from './answers.ts'
import { listedModels } from './models.ts'
import { isSigned } from './signature.ts'
import { faultFor, type State } from './state.ts'
import { type Frame, json, refuse, type Refusals, writeFrames } from './writing.ts'

interface Block {
  text?: string
  image?: { format: string; source: { bytes: string } }
  toolUse?: { toolUseId: string; name: string; input: unknown }
  toolResult?: { toolUseId: string; content: { text?: string }[] }
  reasoningContent?: unknown
}
interface Body {
  messages: { role: 'user' | 'assistant'; content: Block[] }[]
  system?: { text: string }[]
  inferenceConfig?: { maxTokens?: number }
  toolConfig?: { tools: { toolSpec: { name: string } }[] }
  additionalModelRequestFields?: Record<string, unknown>
}

const problem: Refusals = (message, _, code) => ({
  message: code === 'context_length_exceeded' ? 'Input is too long for requested model.' : message,
})

const operation = /^\/model\/([^/]+)\/(converse|converse-stream)$/

/** The name in the path of a call, for the record of what was asked. */
export const bedrockModel = (path: string): string | null => {
  const [, name] = operation.exec(path) ?? []
  return name ? decodeURIComponent(name) : null
}

export interface Signed {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Answers when the call is one of the wire; false otherwise. */
export async function bedrock(state: State, asked: Signed, body: unknown, res: ServerResponse) {
  const { method, target, headers } = asked
  const path = target.split('?')[0] ?? ''
  const [, name, verb] = operation.exec(path) ?? []
  const asksList = method === 'GET' && path === '/foundation-models'
  if (!asksList && (method !== 'POST' || !name)) return false
  const { apiKey, awsKey, listFault } = state.control
  const known =
    (apiKey === null && awsKey === null) ||
    (apiKey !== null && headers.authorization === `Bearer ${apiKey}`) ||
    (awsKey !== null && isSigned(asked, awsKey))
  if (!known) return json(res, 403, problem('The security token included in the request is invalid.', '', null))
  if (asksList) {
    if (await refuse(res, listFault, problem)) return
    return list(state, res)
  }
  return speak(state, decodeURIComponent(name ?? ''), body as Body, verb === 'converse-stream', res)
}

function list(state: State, res: ServerResponse): void {
  const modelSummaries = listedModels(state).map(({ name, capabilities }) => ({
    modelArn: `arn:aws:bedrock:us-east-1::foundation-model/${name}`,
    modelId: name,
    modelName: name,
    providerName: 'Atrium',
    inputModalities: capabilities.includes('vision') ? ['TEXT', 'IMAGE'] : ['TEXT'],
    outputModalities: capabilities.includes('embedding') ? ['EMBEDDING'] : ['TEXT'],
    responseStreamingSupported: true,
    inferenceTypesSupported: ['ON_DEMAND'],
    modelLifecycle: { status: 'ACTIVE' },
  }))
  json(res, 200, { modelSummaries })
}

async function speak(state: State, model: string, body: Body, streamed: boolean, res: ServerResponse): Promise<void> {
  const fault = faultFor(state, model)
  if (await refuse(res, fault, problem)) return
  if (model === 'absent') return json(res, 404, problem('Could not find this model.', '', null))
  const wrong = complaint(body)
  if (wrong) return json(res, 400, problem(wrong, '', null))
  const extra = body.additionalModelRequestFields ?? {}
  const said = answer(
    {
      model,
      system: body.system?.map(({ text }) => text).join('') ?? null,
      messages: body.messages.map(({ role, content }) => ({
        role: content.some((block) => block.toolResult) ? 'tool' : role,
        text: content
          .map((block) => block.text ?? block.toolResult?.content.map(({ text }) => text).join('') ?? '')
          .join(''),
        images: content.filter((block) => block.image).length,
      })),
      tools: body.toolConfig?.tools.map(({ toolSpec }) => toolSpec.name) ?? [],
      think: extra['thinking'] !== undefined || extra['reasoning_effort'] !== undefined || model.startsWith('thinker'),
      limit: body.inferenceConfig?.maxTokens ?? null,
    },
    state.control,
  )
  const usage = {
    inputTokens: said.inputTokens,
    outputTokens: said.outputTokens,
    totalTokens: said.inputTokens + said.outputTokens,
  }
  const stopReason = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' }[said.finish]
  if (!streamed) {
    const message = { role: 'assistant', content: blocksOf(said) }
    return json(res, 200, { output: { message }, stopReason, usage, metrics: { latencyMs: 21 } })
  }
  await writeFrames(res, events(said, stopReason, usage), {
    framing: awsEvents,
    fault,
    control: state.control,
    msPerToken: said.msPerToken,
  })
}

function* events(said: Answer, stopReason: string, usage: unknown): Iterable<Frame> {
  let index = 0
  const delta = (value: unknown) => event('contentBlockDelta', { contentBlockIndex: index, delta: value }, true)
  const stop = () => event('contentBlockStop', { contentBlockIndex: index++ }, false)
  yield event('messageStart', { role: 'assistant' }, false)
  if (said.reasoning.length > 0) {
    for (const text of said.reasoning) yield delta({ reasoningContent: { text } })
    yield event('contentBlockDelta', { contentBlockIndex: index, delta: { reasoningContent: { signature } } }, false)
    yield stop()
  }
  if (said.pieces.length > 0) {
    for (const text of said.pieces) yield delta({ text })
    yield stop()
  }
  for (const call of said.toolCalls) {
    const start = { toolUse: { toolUseId: `tooluse_${call.id}`, name: call.name } }
    yield event('contentBlockStart', { contentBlockIndex: index, start }, true)
    const input = JSON.stringify(call.arguments)
    const cut = Math.ceil(input.length / 2)
    for (const part of [input.slice(0, cut), input.slice(cut)]) yield delta({ toolUse: { input: part } })
    yield stop()
  }
  yield event('messageStop', { stopReason }, false)
  yield event('metadata', { usage, metrics: { latencyMs: 21 } }, false)
}

const signature = 'c2lnbmVkLWJ5LXRoZS1tb2RlbA=='

const blocksOf = (said: Answer): Block[] => [
  ...(said.reasoning.length > 0
    ? [{ reasoningContent: { reasoningText: { text: said.reasoning.join(''), signature } } }]
    : []),
  ...(said.pieces.length > 0 ? [{ text: said.pieces.join('') }] : []),
  ...said.toolCalls.map(({ id, name, arguments: input }) => ({ toolUse: { toolUseId: `tooluse_${id}`, name, input } })),
]

/** What the API refuses. */
function complaint({ messages, toolConfig }: Body): string | null {
  if (messages[0]?.role !== 'user') return 'A conversation must start with a user message.'
  if (messages.some(({ role }, at) => role === messages[at - 1]?.role)) return 'Roles must alternate.'
  const blocks = messages.flatMap(({ content }) => content)
  if (messages.some(({ content }) => content.length === 0)) return 'The content field must not be empty.'
  if (blocks.some(({ text }) => text?.trim() === '')) return 'The text field in the ContentBlock is blank.'
  const uses = blocks.some((block) => block.toolUse ?? block.toolResult)
  return uses && !toolConfig
    ? 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
    : null
}

/** One message in the framing of AWS, written out by hand: prelude, headers, payload, and a checksum of each. */
function message(headers: Readonly<Record<string, string>>, payload: Buffer): Buffer {
  const named = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(Buffer.byteLength(value))
      // 7 says that the value is text.
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ])
    }),
  )
  const whole = Buffer.alloc(12 + named.length + payload.length + 4)
  whole.writeUInt32BE(whole.length, 0)
  whole.writeUInt32BE(named.length, 4)
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8)
  named.copy(whole, 12)
  payload.copy(whole, 12 + named.length)
  whole.writeUInt32BE(crc32(whole.subarray(0, whole.length - 4)), whole.length - 4)
  return whole
}

const eventBytes = (name: string, payload: Buffer): Buffer =>
  message({ ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }, payload)

const event = (name: string, payload: unknown, token: boolean): Frame => ({
  text: eventBytes(name, Buffer.from(JSON.stringify(payload))),
  token,
})

const sound = eventBytes('contentBlockDelta', Buffer.from('{"contentBlockIndex":0,"delta":{"text":"broken"}}'))

const awsEvents = {
  contentType: 'application/vnd.amazon.eventstream',
  error: message(
    {
      ':exception-type': 'modelStreamErrorException',
      ':content-type': 'application/json',
      ':message-type': 'exception',
    },
    Buffer.from('{"message":"The model failed: sk-leaked-in-body"}'),
  ),
  // One bit of the payload is another than its checksum says.
  broken: Buffer.from(sound.map((byte, at) => (at === sound.length - 8 ? byte ^ 1 : byte))),
  half: sound.subarray(0, sound.length - 20),
  around: (middle: Buffer) =>
    eventBytes(
      'contentBlockDelta',
      Buffer.concat([Buffer.from('{"contentBlockIndex":0,"delta":{"text":"['), middle, Buffer.from(']"}}')]),
    ),
}
