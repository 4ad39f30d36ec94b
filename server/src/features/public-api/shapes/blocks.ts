/** An answer as blocks that open, grow and close: what every shape's writer stands on. Pure. */
import type { Part } from '../../../providers/types.ts'

export type BlockKind = 'text' | 'reasoning' | 'tool'

export interface Block {
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
  | { readonly type: 'open'; readonly block: Block }
  | { readonly type: 'delta'; readonly block: Block; readonly delta: string }
  | { readonly type: 'close'; readonly block: Block }
  | { readonly type: 'logprobs'; readonly content: readonly unknown[] }

export interface Usage {
  readonly input: number | null
  readonly output: number | null
  readonly cached: number
  readonly reasoning: number
}

/** A whole answer. */
export interface Answer {
  readonly blocks: readonly Block[]
  readonly usage: Usage
  readonly finish: string
  readonly logprobs: readonly unknown[]
}

export interface Blocks {
  /** What a piece of the answer changes. */
  push(part: Part): BlockEvent[]
  /** Closes what is open. */
  end(): BlockEvent[]
  answer(): Answer
}

export const createBlocks = (): Blocks => {
  const blocks: Block[] = []
  const counts = { text: 0, reasoning: 0, tool: 0 }
  /** The text or thought that grows; tool calls may grow side by side. */
  let growing: Block | null = null
  const tools = new Map<number, Block>()
  const open = new Set<Block>()
  const logprobs: unknown[] = []
  let usage: Usage = { input: null, output: null, cached: 0, reasoning: 0 }
  let finish = 'stop'

  const begin = (kind: BlockKind, id = '', name = ''): Block => {
    const block = { kind, index: blocks.length, nth: counts[kind]++, id, name, text: '' }
    blocks.push(block)
    open.add(block)
    return block
  }
  const close = (block: Block | null): BlockEvent[] => (block && open.delete(block) ? [{ type: 'close', block }] : [])
  const grow = (block: Block, delta: string): BlockEvent[] => {
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
  const startTool = (id: string, name: string): { block: Block; events: BlockEvent[] } => {
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
      }
    },
    end: () => [...open].flatMap(close),
    answer: () => ({ blocks, usage, finish, logprobs }),
  }
}

/** Reads an answer to its end. */
export const gather = async (parts: AsyncIterable<readonly Part[]>): Promise<Answer> => {
  const blocks = createBlocks()
  for await (const some of parts) for (const part of some) blocks.push(part)
  blocks.end()
  return blocks.answer()
}

export const textOf = (answer: Answer, kind: BlockKind): string =>
  answer.blocks.map((block) => (block.kind === kind ? block.text : '')).join('')

/** What several calls took together. */
export const sumUsage = (answers: readonly Answer[]): Usage => {
  const sum = (pick: (usage: Usage) => number | null): number | null => {
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
