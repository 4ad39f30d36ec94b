/** The shape of messages, written: the whole object, and the events of its stream. Pure. */
import { JsonFault, readJsonText } from '../../../platform/json/index.ts'
import {
  type CollectedAnswer,
  type AnswerBlock,
  type BlockEvent,
  createBlockBuilder,
  type AnswerUsage,
} from './blocks.ts'
import { type AnswerInfo, formatNamedEvent, type AnswerPieces } from './shape.ts'

export const writeMessage = (about: AnswerInfo, answer: CollectedAnswer) => ({
  ...headOf(about),
  content: answer.blocks.map(sayBlock),
  stop_reason: reasonOf(answer.finish),
  usage: sayUsage(answer.usage),
})

export async function* writeMessageStream(about: AnswerInfo, pieces: AnswerPieces): AsyncGenerator<string> {
  const blocks = createBlockBuilder()
  let open = true
  for await (const { parts } of pieces) {
    let text = ''
    const changes = parts.flatMap((part) => blocks.push(part))
    if (open)
      text = formatNamedEvent('message_start', { type: 'message_start', message: begun(about, blocks.answer().usage) })
    open = false
    for (const change of changes) text += sayChange(change)
    if (text !== '') yield text
  }
  let last = ''
  for (const change of blocks.end()) last += sayChange(change)
  const { finish, usage } = blocks.answer()
  const delta = { stop_reason: reasonOf(finish), stop_sequence: null }
  last += formatNamedEvent('message_delta', { type: 'message_delta', delta, usage: sayUsage(usage) })
  yield last + formatNamedEvent('message_stop', { type: 'message_stop' })
}

const begun = (about: AnswerInfo, usage: AnswerUsage) => ({
  ...headOf(about),
  content: [],
  stop_reason: null,
  usage: { ...sayUsage(usage), output_tokens: 0 },
})

const sayChange = (change: BlockEvent): string => {
  if (change.type === 'logprobs') return ''
  const { kind, index } = change.block
  switch (change.type) {
    case 'open': {
      const content_block = sayBlock({ ...change.block, text: '' })
      return formatNamedEvent('content_block_start', { type: 'content_block_start', index, content_block })
    }
    case 'delta': {
      const delta = deltas[kind](change.delta)
      return formatNamedEvent('content_block_delta', { type: 'content_block_delta', index, delta })
    }
    case 'close':
      return formatNamedEvent('content_block_stop', { type: 'content_block_stop', index })
  }
}

const deltas = {
  text: (text: string) => ({ type: 'text_delta', text }),
  reasoning: (thinking: string) => ({ type: 'thinking_delta', thinking }),
  tool: (partial_json: string) => ({ type: 'input_json_delta', partial_json }),
} as const

const sayBlock = ({ kind, id, name, text }: AnswerBlock) => {
  switch (kind) {
    case 'text':
      return { type: 'text', text, citations: null }
    // Only the provider that thought could sign it.
    case 'reasoning':
      return { type: 'thinking', thinking: text, signature: '' }
    case 'tool':
      return { type: 'tool_use', id, name, input: readInput(text) }
  }
}

/** A call that the model garbled comes as one without arguments. */
const readInput = (text: string): unknown => {
  try {
    return readJsonText(text || '{}')
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return {}
  }
}

const headOf = (about: AnswerInfo) => ({
  id: `msg_${about.id}`,
  type: 'message',
  role: 'assistant',
  model: about.model,
  stop_sequence: null,
})

const reasonOf = (finish: string): string => reasons[finish] ?? 'end_turn'
const reasons: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}

/** Cached tokens are counted apart, as these clients expect. */
const sayUsage = ({ input, output, cached }: AnswerUsage) => ({
  input_tokens: Math.max(0, (input ?? 0) - cached),
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: 0,
  output_tokens: output ?? 0,
})
