/** The shape of responses, written: the whole object, and the events of its stream. Pure. */
import type { ResponseBody } from '@atrium/contract/public-api'
import {
  type CollectedAnswer,
  type AnswerBlock,
  type BlockEvent,
  createBlockBuilder,
  type AnswerUsage,
} from './blocks.ts'
import { type ClientTool, readToolInput, type ResponseTools } from './response-tools.ts'
import { type AnswerInfo, formatNamedEvent, type AnswerPieces } from './shape.ts'

/** What an answer says of itself, and what its client calls the tools. */
interface Writing extends AnswerInfo {
  readonly tools: ResponseTools
}

export const writeResponse = (body: ResponseBody, about: Writing, answer: CollectedAnswer) => {
  const incomplete = reasons[answer.finish]
  return {
    ...headOf(body, about),
    status: incomplete ? 'incomplete' : 'completed',
    incomplete_details: incomplete ? { reason: incomplete } : null,
    output: answer.blocks.map((block) => sayItem(block, about)),
    usage: sayUsage(answer.usage),
  }
}

export async function* writeResponseStream(
  body: ResponseBody,
  about: Writing,
  pieces: AnswerPieces,
): AsyncGenerator<string> {
  let sequence = 0
  const tell = (type: string, rest: object): string =>
    formatNamedEvent(type, { type, sequence_number: sequence++, ...rest })
  const blocks = createBlockBuilder()
  const begun = { ...headOf(body, about), status: 'in_progress', incomplete_details: null, output: [], usage: null }
  let open = true
  for await (const { parts } of pieces) {
    let text = ''
    if (open) text = tell('response.created', { response: begun }) + tell('response.in_progress', { response: begun })
    open = false
    for (const part of parts) for (const change of blocks.push(part)) text += sayChange(change, about, tell)
    if (text !== '') yield text
  }
  let last = ''
  for (const change of blocks.end()) last += sayChange(change, about, tell)
  const response = writeResponse(body, about, blocks.answer())
  yield last + tell(`response.${response.status}`, { response })
}

type WriteEvent = (type: string, rest: object) => string

const sayChange = (change: BlockEvent, about: Writing, tell: WriteEvent): string => {
  if (change.type === 'logprobs') return ''
  const { block } = change
  const place = { item_id: itemId(block, about), output_index: block.index }
  if (change.type === 'open') return sayOpen(block, about, place, tell)
  if (change.type === 'close') return sayClose(block, about, place, tell)
  const { delta } = change
  if (block.kind === 'text')
    return tell('response.output_text.delta', { ...place, content_index: 0, delta, logprobs: [] })
  if (block.kind === 'reasoning')
    return tell('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta })
  // Bare text is inside JSON until the call is whole.
  if (isCustom(block, about)) return ''
  return tell('response.function_call_arguments.delta', { ...place, delta })
}

const sayOpen = (block: AnswerBlock, about: Writing, place: object, tell: WriteEvent): string => {
  const item = { ...sayItem({ ...block, text: '' }, about), status: 'in_progress' }
  const added = (rest: object) =>
    tell('response.output_item.added', { output_index: block.index, item: { ...item, ...rest } })
  switch (block.kind) {
    case 'text':
      return (
        added({ content: [] }) + tell('response.content_part.added', { ...place, content_index: 0, part: sayText('') })
      )
    case 'reasoning':
      return (
        added({ summary: [] }) +
        tell('response.reasoning_summary_part.added', { ...place, summary_index: 0, part: saySummary('') })
      )
    case 'tool':
      return added(isCustom(block, about) ? { input: '' } : { arguments: '' })
  }
}

const sayClose = (block: AnswerBlock, about: Writing, place: object, tell: WriteEvent): string => {
  const { text } = block
  const item = sayItem(block, about)
  const done = (): string => tell('response.output_item.done', { output_index: block.index, item })
  switch (block.kind) {
    case 'text':
      return (
        tell('response.output_text.done', { ...place, content_index: 0, text, logprobs: [] }) +
        tell('response.content_part.done', { ...place, content_index: 0, part: sayText(text) }) +
        done()
      )
    case 'reasoning':
      return (
        tell('response.reasoning_summary_text.done', { ...place, summary_index: 0, text }) +
        tell('response.reasoning_summary_part.done', { ...place, summary_index: 0, part: saySummary(text) }) +
        done()
      )
    case 'tool':
      return closeCall(item, place, tell) + done()
  }
}

/** The whole arguments; bare text comes in one piece before. */
const closeCall = (item: object, place: object, tell: WriteEvent): string => {
  if ('input' in item) {
    const { input } = item
    const type = 'response.custom_tool_call_input'
    return tell(`${type}.delta`, { ...place, delta: input }) + tell(`${type}.done`, { ...place, input })
  }
  const { name, arguments: args } = item as { name: string; arguments: string }
  return tell('response.function_call_arguments.done', { ...place, name, arguments: args })
}

const isCustom = (block: AnswerBlock, { tools }: Writing): boolean =>
  block.kind === 'tool' && tools.clientTool(block.name).kind === 'custom'

const reasons: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' }

const prefixes = { text: 'msg', reasoning: 'rs', tool: 'fc' } as const
const itemId = ({ kind, index }: AnswerBlock, about: Writing): string => `${prefixes[kind]}_${about.id}_${index}`

const sayText = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const saySummary = (text: string) => ({ type: 'summary_text', text })

const sayItem = (block: AnswerBlock, about: Writing) => {
  const { kind, id, name, text } = block
  const own = { id: itemId(block, about), status: 'completed' }
  switch (kind) {
    case 'text':
      return { ...own, type: 'message', role: 'assistant', content: [sayText(text)] }
    case 'reasoning':
      return { ...own, type: 'reasoning', summary: [saySummary(text)] }
    case 'tool':
      return { ...own, ...sayCall(about.tools.clientTool(name), id, text) }
  }
}

const sayCall = ({ name, namespace, kind }: ClientTool, call_id: string, text: string) => {
  const about = { call_id, name, ...(namespace === null ? {} : { namespace }) }
  return kind === 'custom'
    ? { type: 'custom_tool_call', ...about, input: readToolInput(text) }
    : { type: 'function_call', ...about, arguments: text || '{}' }
}

/** What was asked for comes back with the answer. */
const headOf = (body: ResponseBody, about: Writing) => ({
  id: `resp_${about.id}`,
  object: 'response',
  created_at: about.created,
  background: false,
  error: null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body['metadata'] ?? {},
  model: about.model,
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
  store: false,
  temperature: body.temperature ?? null,
  text: body.text ?? { format: { type: 'text' } },
  tool_choice: body.tool_choice ?? 'auto',
  tools: body.tools ?? [],
  top_p: body.top_p ?? null,
  truncation: 'disabled',
  user: null,
})

const sayUsage = ({ input, output, cached, reasoning }: AnswerUsage) =>
  input === null && output === null
    ? null
    : {
        input_tokens: input ?? 0,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output ?? 0,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: (input ?? 0) + (output ?? 0),
      }
