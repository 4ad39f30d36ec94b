/** The shape of chat completions. Pure. */
import type { ChatCompletionBody } from '@atrium/contract/public-api'
import type { Turn, TurnMessage } from '../../../providers/types.ts'
import { asArray, asObject, asText, type Json } from '../../../providers/wires/json.ts'
import {
  type CollectedAnswer,
  type BlockEvent,
  createBlockBuilder,
  sumUsage,
  textOf,
  type AnswerUsage,
} from './blocks.ts'
import {
  type RequestContent,
  nameOfCall,
  readContent,
  readDataUrl,
  readEffort,
  readOptions,
  readSchema,
  readStop,
} from './read-request.ts'
import { invalidRequest } from '../refusals.ts'
import { readChoice } from './tool-choice.ts'
import { type AnswerInfo, formatEvent, failedChunk, type AnswerPieces, type ApiShape } from './shape.ts'

export const chatCompletionsShape: ApiShape<ChatCompletionBody> = {
  name: 'chat-completions',
  dialect: 'openai',
  wire: 'chat-completions',
  read(body) {
    const turn = readTurn(body)
    const choices = body.n ?? 1
    return {
      turns: Array.from({ length: choices }, () => turn),
      whole: sayWhole,
      stream: (pieces, about) => sayStream(pieces, about, choices, body.stream_options?.include_usage === true),
    }
  },
  limit: (body) => body.max_completion_tokens ?? body.max_tokens ?? null,
  choices: (body) => body.n ?? 1,
  failureEvent: failedChunk,
}

const readTurn = (body: ChatCompletionBody): Turn => {
  const { system, messages } = readMessages(body.messages)
  const tools = (body.tools ?? []).map((tool, index) => ({ tool, path: `tools.${index}` }))
  // What runs at a provider is left out where nothing demands it: no other provider has it.
  const specs = tools.filter(({ tool }) => ownTools.has(tool.type)).map(({ tool, path }) => readTool(tool, path))
  const other = tools.find(({ tool }) => !ownTools.has(tool.type))?.tool.type ?? null
  return {
    model: body.model,
    system: system === '' ? null : system,
    messages,
    tools: specs,
    options: readOptions({
      temperature: body.temperature,
      top_p: body.top_p,
      num_predict: body.max_completion_tokens ?? body.max_tokens,
      seed: body.seed,
      presence_penalty: body.presence_penalty,
      frequency_penalty: body.frequency_penalty,
      stop: readStop(body.stop),
      think: readEffort(body.reasoning_effort),
    }),
    toolChoice: readChoice(body.tool_choice, { specs, leftOut: other }),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    format: readFormat(body.response_format),
    logprobs: body.logprobs === true ? { top: body.top_logprobs ?? 0 } : undefined,
    logitBias: body.logit_bias ?? undefined,
  }
}

/** Tools of the client itself. */
const ownTools: ReadonlySet<string> = new Set(['function', 'custom'])

const readMessages = (given: readonly Json[]): { system: string; messages: TurnMessage[] } => {
  const system: string[] = []
  const messages: TurnMessage[] = []
  for (const [index, message] of given.entries()) {
    const path = `messages.${index}`
    const { text, images } = readContent(message['content'], `${path}.content`, readPart)
    switch (message['role']) {
      case 'system':
      case 'developer':
        system.push(text)
        break
      case 'assistant':
        messages.push({ role: 'assistant', text, toolCalls: readCalls(message['tool_calls'], `${path}.tool_calls`) })
        break
      case 'tool':
      case 'function': {
        const callId = asText(message['tool_call_id']) || asText(message['name'])
        if (callId === '') throw invalidRequest(`${path}.tool_call_id`, 'is missing')
        messages.push({ role: 'tool', callId, name: nameOfCall(messages, callId) || asText(message['name']), text })
        break
      }
      default:
        messages.push({ role: 'user', text, images })
    }
  }
  if (messages.length === 0) throw invalidRequest('messages', 'must hold more than instructions')
  return { system: system.join('\n\n'), messages }
}

const readPart = (part: Json, path: string): Partial<RequestContent> => {
  switch (part['type']) {
    case 'text':
    case 'input_text':
      return { text: asText(part['text']) }
    case 'refusal':
      return { text: asText(part['refusal']) }
    case 'image_url': {
      const image = part['image_url']
      return { images: [readDataUrl(asObject(image)?.['url'] ?? image, `${path}.image_url.url`)] }
    }
    default:
      throw invalidRequest(`${path}.type`, 'only text and image_url are taken for this model')
  }
}

const readCalls = (calls: unknown, path: string) =>
  asArray(calls).map((call, index) => {
    const made = asObject(call)
    const fn = asObject(made?.['function'])
    const name = asText(fn?.['name'])
    if (name === '') throw invalidRequest(`${path}.${index}.function.name`, 'is missing')
    return { id: asText(made?.['id']) || `call_${index}`, name, arguments: asText(fn?.['arguments']) || '{}' }
  })

const readTool = (tool: Json, path: string) => {
  const fn = asObject(tool['function'])
  const name = asText(fn?.['name'])
  if (tool['type'] !== 'function') throw invalidRequest(`${path}.type`, 'only function tools are taken for this model')
  if (name === '') throw invalidRequest(`${path}.function.name`, 'is missing')
  return {
    name,
    description: asText(fn?.['description']),
    parameters: readSchema(fn?.['parameters'], `${path}.function.parameters`),
  }
}

/** `response_format`, or the `text.format` of responses, which holds the same without a wrapping. */
export const readFormat = (format: unknown, path = 'response_format'): Turn['format'] => {
  const object = asObject(format)
  switch (object?.['type']) {
    case 'json_object':
      return { type: 'json' }
    case 'json_schema': {
      const wrapped = asObject(object['json_schema']) ?? object
      const schema = asObject(wrapped['schema'])
      if (!schema) throw invalidRequest(`${path}.json_schema.schema`, 'must be a JSON Schema')
      const strict = typeof wrapped['strict'] === 'boolean' ? wrapped['strict'] : undefined
      return { type: 'schema', name: asText(wrapped['name']) || 'answer', schema, strict }
    }
    default:
      return undefined
  }
}

const sayWhole = (answers: readonly CollectedAnswer[], about: AnswerInfo) => ({
  id: `chatcmpl-${about.id}`,
  object: 'chat.completion',
  created: about.created,
  model: about.model,
  choices: answers.map((answer, index) => ({
    index,
    message: sayMessage(answer),
    logprobs: answer.logprobs.length > 0 ? { content: answer.logprobs, refusal: null } : null,
    finish_reason: answer.finish,
  })),
  ...usageField(sumUsage(answers)),
})

const sayMessage = (answer: CollectedAnswer) => {
  const text = textOf(answer, 'text')
  const reasoning = textOf(answer, 'reasoning')
  const calls = answer.blocks
    .filter((block) => block.kind === 'tool')
    .map(({ id, name, text: args }) => ({ id, type: 'function', function: { name, arguments: args || '{}' } }))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

/** The counts as these clients know them; left out where the provider did not count. */
export const usageField = (usage: AnswerUsage) =>
  usage.input === null && usage.output === null ? {} : { usage: say(usage) }

const say = ({ input, output, cached, reasoning }: AnswerUsage) => ({
  prompt_tokens: input ?? 0,
  completion_tokens: output ?? 0,
  total_tokens: (input ?? 0) + (output ?? 0),
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

async function* sayStream(
  pieces: AnswerPieces,
  about: AnswerInfo,
  choices: number,
  usage: boolean,
): AsyncGenerator<string> {
  const head = {
    id: `chatcmpl-${about.id}`,
    object: 'chat.completion.chunk',
    created: about.created,
    model: about.model,
  }
  const chunk = (index: number, delta: unknown, finish: string | null = null, logprobs: unknown = null): string =>
    formatEvent({ ...head, choices: [{ index, delta, logprobs, finish_reason: finish }] })
  const writers = Array.from({ length: choices }, createBlockBuilder)
  const begun = new Set<number>()
  for await (const { choice, parts } of pieces) {
    const blocks = writers[choice]
    if (!blocks) continue
    let text = ''
    if (!begun.has(choice)) text += chunk(choice, { role: 'assistant', content: '' })
    begun.add(choice)
    for (const part of parts) for (const change of blocks.push(part)) text += sayChange(change, choice, chunk)
    if (text !== '') yield text
  }
  let last = ''
  for (const [index, blocks] of writers.entries()) last += chunk(index, {}, blocks.answer().finish)
  const total = sumUsage(writers.map((blocks) => blocks.answer()))
  if (usage) last += formatEvent({ ...head, choices: [], usage: null, ...usageField(total) })
  yield `${last}data: [DONE]\n\n`
}

const sayChange = (
  change: BlockEvent,
  choice: number,
  chunk: (index: number, delta: unknown, finish?: null, logprobs?: unknown) => string,
): string => {
  switch (change.type) {
    case 'logprobs':
      return chunk(choice, {}, null, { content: change.content, refusal: null })
    case 'open': {
      const { kind, nth: index, id, name } = change.block
      return kind === 'tool'
        ? chunk(choice, { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
        : ''
    }
    case 'delta': {
      const { kind, nth: index } = change.block
      if (kind === 'text') return chunk(choice, { content: change.delta })
      if (kind === 'reasoning') return chunk(choice, { reasoning_content: change.delta })
      return chunk(choice, { tool_calls: [{ index, function: { arguments: change.delta } }] })
    }
    case 'close':
      return ''
  }
}
