/** An answer as blocks that open, grow and close: the writers of all shapes use it. Pure. */
import type { Part } from '../../../providers/types.ts'

export type BlockKind = 'text' | 'reasoning' | 'tool'

export interface AnswerBlock {
  readonly kind: BlockKind
  /** Its place among all blocks of the answer. */
  readonly index: number
  /** Its place among those of its kind. */
  readonly nth: number
  /** Of a tool call. */
  readonly id: string
  readonly name: string
  /** What it holds so far: text, thought, or the arguments as JSON. */
  text: string
}

export type BlockEvent =
  | { readonly type: 'open'; readonly block: AnswerBlock }
  | { readonly type: 'delta'; readonly block: AnswerBlock; readonly delta: string }
  | { readonly type: 'close'; readonly block: AnswerBlock }
  | { readonly type: 'logprobs'; readonly content: readonly unknown[] }

export interface AnswerUsage {
  readonly input: number | null
  readonly output: number | null
  readonly cached: number
  readonly reasoning: number
}

/** A whole answer. */
export interface CollectedAnswer {
  readonly blocks: readonly AnswerBlock[]
  readonly usage: AnswerUsage
  readonly finish: string
  readonly logprobs: readonly unknown[]
}

export interface BlockBuilder {
  /** What a piece of the answer changes. */
  push(part: Part): BlockEvent[]
  /** Closes what is open. */
  end(): BlockEvent[]
  answer(): CollectedAnswer
}

export const createBlockBuilder = (): BlockBuilder => {
  const blocks: AnswerBlock[] = []
  const counts = { text: 0, reasoning: 0, tool: 0 }
  /** The text or thought that grows; tool calls may grow side by side. */
  let growing: AnswerBlock | null = null
  const tools = new Map<number, AnswerBlock>()
  const open = new Set<AnswerBlock>()
  const logprobs: unknown[] = []
  let usage: AnswerUsage = { input: null, output: null, cached: 0, reasoning: 0 }
  let finish = 'stop'

  const begin = (kind: BlockKind, id = '', name = ''): AnswerBlock => {
    const block = { kind, index: blocks.length, nth: counts[kind]++, id, name, text: '' }
    blocks.push(block)
    open.add(block)
    return block
  }
  const close = (block: AnswerBlock | null): BlockEvent[] =>
    block && open.delete(block) ? [{ type: 'close', block }] : []
  const grow = (block: AnswerBlock, delta: string): BlockEvent[] => {
    if (delta === '') return []
    block.text += delta
    return [{ type: 'delta', block, delta }]
  }
  const write = (kind: 'text' | 'reasoning', delta: string): BlockEvent[] => {
    if (delta === '') return []
    if (growing?.kind === kind && open.has(growing)) return grow(growing, delta)
    const before = close(growing)
    growing = begin(kind)
    return [...before, { type: 'open', block: growing }, ...grow(growing, delta)]
  }
  const startTool = (id: string, name: string): { block: AnswerBlock; events: BlockEvent[] } => {
    const before = close(growing)
    const block = begin('tool', id, name)
    return { block, events: [...before, { type: 'open', block }] }
  }

  return {
    push(part) {
      switch (part.type) {
        case 'text':
        case 'reasoning':
          return write(part.type, part.delta)
        case 'tool-call-start': {
          const { block, events } = startTool(part.id, part.name)
          tools.set(part.index, block)
          return events
        }
        case 'tool-call-delta': {
          const block = tools.get(part.index)
          return block && open.has(block) ? grow(block, part.delta) : []
        }
        case 'tool-call': {
          const { id, name, arguments: all } = part.call
          const known = blocks.find((block) => block.kind === 'tool' && block.id === id && open.has(block))
          const { block, events } = known ? { block: known, events: [] } : startTool(id, name)
          const rest = all.startsWith(block.text) ? all.slice(block.text.length) : ''
          return [...events, ...grow(block, rest), ...close(block)]
        }
        case 'logprobs':
          logprobs.push(...part.content)
          return [{ type: 'logprobs', content: part.content }]
        case 'usage':
          usage = {
            input: part.inputTokens ?? usage.input,
            output: part.outputTokens ?? usage.output,
            cached: part.cachedTokens ?? usage.cached,
            reasoning: part.reasoningTokens ?? usage.reasoning,
          }
          return []
        case 'finish':
          finish = part.reason
          return []
        case 'replay':
          return []
        // Of agents, which are not offered here; and pictures are asked for in chats only.
        case 'tool-draft':
        case 'picture':
        case 'lost-picture':
        case 'tool-result':
        case 'tool-result-text':
        case 'sources':
        case 'waiting':
        case 'approval':
          return []
      }
    },
    end: () => [...open].flatMap(close),
    answer: () => ({ blocks, usage, finish, logprobs }),
  }
}

/** Reads an answer to its end. */
export const collectAnswer = async (parts: AsyncIterable<readonly Part[]>): Promise<CollectedAnswer> => {
  const blocks = createBlockBuilder()
  for await (const some of parts) for (const part of some) blocks.push(part)
  blocks.end()
  return blocks.answer()
}

export const textOf = (answer: CollectedAnswer, kind: BlockKind): string =>
  answer.blocks.map((block) => (block.kind === kind ? block.text : '')).join('')

/** What several calls took together. */
export const sumUsage = (answers: readonly CollectedAnswer[]): AnswerUsage => {
  const sum = (pick: (usage: AnswerUsage) => number | null): number | null => {
    const known = answers.flatMap(({ usage }) => pick(usage) ?? [])
    return known.length > 0 ? known.reduce((a, b) => a + b, 0) : null
  }
  return {
    input: sum((usage) => usage.input),
    output: sum((usage) => usage.output),
    cached: sum((usage) => usage.cached) ?? 0,
    reasoning: sum((usage) => usage.reasoning) ?? 0,
  }
}
