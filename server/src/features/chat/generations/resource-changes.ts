/** With a question, its model is told what changed since of things that it made, or that its earlier calls were about. */
import type { EarlierCall, Toolkit } from '../../../core/tools/index.ts'
import type { Turn } from '../../../providers/types.ts'

/** The same turn where nothing did. */
export const withResourceChanges = async (toolkit: Pick<Toolkit, 'describeChanges'>, turn: Turn): Promise<Turn> => {
  const question = turn.messages.at(-1)
  if (question?.role !== 'user') return turn
  const lines = (await toolkit.describeChanges?.(earlierCalls(turn))) ?? []
  if (lines.length === 0) return turn
  const text = [...lines, question.text].filter((part) => part !== '').join('\n\n')
  return { ...turn, messages: [...turn.messages.slice(0, -1), { ...question, text }] }
}

const earlierCalls = ({ messages }: Turn): EarlierCall[] => {
  const args = new Map<string, string>()
  const calls: EarlierCall[] = []
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) args.set(call.id, call.arguments)
    if (message.role !== 'tool') continue
    calls.push({ name: message.name, arguments: args.get(message.callId) ?? '', text: message.text })
  }
  return calls
}
