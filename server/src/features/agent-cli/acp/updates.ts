/** What an agent tells of its work, as parts of an answer. Pure. */
import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { ToolCall } from '@atrium/contract/generation'
import type { Part } from '../../../providers/types.ts'
import { createCallLog, cutText, maxIdChars, maxListed, maxNameChars, maxPathChars } from '../calls.ts'
import { createParagraphs } from '../paragraphs.ts'

export interface UpdateReader {
  /** Throws ProviderFailure `too_large` where there is too much of it. */
  update(update: SessionUpdate): Part[]
  /** A call as a question for permission names it, together with what is known of it. */
  call(call: ToolCallUpdate): Part[]
  /** What was kept back of the words. */
  end(): Part[]
}

export const createUpdateReader = (): UpdateReader => {
  const text = createParagraphs('text')
  const reasoning = createParagraphs('reasoning')
  const calls = createCallLog()

  const readCall = (update: ToolCallUpdate): Part[] => {
    text.breakOff()
    reasoning.breakOff()
    const id = cutText(update.toolCallId, maxIdChars)
    const before = calls.find(id) ?? { id, name: 'tool', arguments: '' }
    const { title, rawInput, locations, content } = update
    const changes = content && changesOf(content)
    const parts = calls.tell({
      ...before,
      ...(title ? { name: cutText(title, maxNameChars) } : {}),
      ...(rawInput === undefined ? {} : { arguments: cutText(JSON.stringify(rawInput) ?? '') }),
      ...(locations?.length
        ? {
            places: locations
              .slice(0, maxListed)
              .map(({ path, line }) => ({ path: cutText(path, maxPathChars), line: line ?? null })),
          }
        : {}),
      ...(changes?.length ? { changes } : {}),
    })
    if (update.status !== 'completed' && update.status !== 'failed') return parts
    return [...parts, ...calls.end(id, update.status === 'completed' ? 'done' : 'failed', wordsOf(update))]
  }

  return {
    call: readCall,
    update(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return update.content.type === 'text' ? text.push(update.content.text) : []
        case 'agent_thought_chunk':
          text.breakOff()
          return update.content.type === 'text' ? reasoning.push(update.content.text) : []
        case 'tool_call':
        case 'tool_call_update':
          return readCall(update)
        case 'plan':
          text.breakOff()
          return calls.tell({
            id: planId,
            name: 'plan',
            arguments: '',
            steps: update.entries.slice(0, maxListed).map(({ content, status }) => ({
              text: cutText(content, maxPathChars),
              state: status === 'completed' ? 'done' : status === 'in_progress' ? 'running' : 'pending',
            })),
          })
        default:
          return []
      }
    },
    end: () => [...reasoning.end(), ...text.end()],
  }
}

const planId = 'plan'

const changesOf = (content: readonly ToolCallContent[]): NonNullable<ToolCall['changes']> =>
  content
    .flatMap((piece) =>
      piece.type === 'diff'
        ? [
            {
              path: cutText(piece.path, maxPathChars),
              before: piece.oldText == null ? null : cutText(piece.oldText),
              after: cutText(piece.newText),
            },
          ]
        : [],
    )
    .slice(0, maxListed)

/** What came of a call: the words that it was told with, else what the tool itself gave. */
const wordsOf = ({ content, rawOutput }: ToolCallUpdate): string => {
  const said = (content ?? []).flatMap((piece) =>
    piece.type === 'content' && piece.content.type === 'text' ? [piece.content.text] : [],
  )
  if (said.length > 0 || rawOutput == null) return said.join('\n')
  return typeof rawOutput === 'string' ? rawOutput : (JSON.stringify(rawOutput) ?? '')
}
