/** The shape of messages, written: the whole object, and the events of its stream. Pure. */
import { JsonFault, readJsonText } from '../../../platform/json/index.ts'
import { type Answer, type Block, type BlockEvent, createBlocks, type Usage } from './blocks.ts'
import { type About, named, type Pieces } from './shape.ts'

export const sayMessage = (about: About, answer: Answer) => ({
  ...headOf(about),
  content: answer.blocks.map(sayBlock),
  stop_reason: reasonOf(answer.finish),
  usage: sayUsage(answer.usage),
})

export async function* sayMessageStream(about: About, pieces: Pieces): AsyncGenerator<string> {
  const blocks = createBlocks()
  let open = true
  for await (const { parts } of pieces) {
    let text = ''
    const changes = parts.flatMap((part) => blocks.push(part))
    if (open) text = named('message_start', { type: 'message_start', message: begun(about, blocks.answer().usage) })
    open = false
    for (const change of changes) text += sayChange(change)
    if (text !== '') yield text
  }
  let last = ''
  for (const change of blocks.end()) last += sayChange(change)
  const { finish, usage } = blocks.answer()
  const delta = { stop_reason: reasonOf(finish), stop_sequence: null }
  last += named('message_delta', { type: 'message_delta', delta, usage: sayUsage(usage) })
  yield last + named('message_stop', { type: 'message_stop' })
}

const begun = (about: About, usage: Usage) => ({
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
      return named('content_block_start', { type: 'content_block_start', index, content_block })
    }
    case 'delta': {
      const delta = deltas[kind](change.delta)
      return named('content_block_delta', { type: 'content_block_delta', index, delta })
    }
    case 'close':
      return named('content_block_stop', { type: 'content_block_stop', index })
  }
}

const deltas = {
  text: (text: string) => ({ type: 'text_delta', text }),
  reasoning: (thinking: string) => ({ type: 'thinking_delta', thinking }),
  tool: (partial_json: string) => ({ type: 'input_json_delta', partial_json }),
} as const

const sayBlock = ({ kind, id, name, text }: Block) => {
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

const headOf = (about: About) => ({
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

/** What came from the cache is told apart, as these clients expect. */
const sayUsage = ({ input, output, cached }: Usage) => ({
  input_tokens: Math.max(0, (input ?? 0) - cached),
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: 0,
  output_tokens: output ?? 0,
})
