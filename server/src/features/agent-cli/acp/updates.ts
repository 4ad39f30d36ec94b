/** What an agent tells of its work, as parts of an answer. Pure; lengths are bounded here. */
import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { ToolCall } from '@atrium/contract/generation'
import { createHarmlessText, makeHarmless } from '../../../providers/harmless-text.ts'
import { type Part, ProviderFailure } from '../../../providers/types.ts'

export interface UpdateReader {
  /** Throws ProviderFailure `too_large` where there is too much of it. */
  update(update: SessionUpdate): Part[]
  /** A call as a question for permission names it, together with what is known of it. */
  call(call: ToolCallUpdate): Part[]
  /** What was kept back of the words. */
  end(): Part[]
}

const maxCalls = 500
const maxWords = 20_000
const maxListed = 50
/** Of calls that are told again and again. */
const maxToldChars = 8_000_000

export const createUpdateReader = (): UpdateReader => {
  const text = createHarmlessText()
  const reasoning = createHarmlessText()
  const calls = new Map<string, { call: ToolCall; told: string; ended: boolean }>()
  let toldChars = 0

  const tell = (id: string, call: ToolCall): Part[] => {
    const words = JSON.stringify(call)
    const known = calls.get(id)
    if (known?.told === words) return []
    if (!known && calls.size >= maxCalls) throw tooMuch()
    toldChars += words.length
    if (toldChars > maxToldChars) throw tooMuch()
    calls.set(id, { call, told: words, ended: known?.ended ?? false })
    return [{ type: 'tool-call', call }]
  }

  const readCall = (update: ToolCallUpdate): Part[] => {
    const id = cut(update.toolCallId, 200)
    const before = calls.get(id)?.call ?? { id, name: 'tool', arguments: '' }
    const { title, rawInput, locations, content } = update
    const changes = content && changesOf(content)
    const parts = tell(id, {
      ...before,
      ...(title ? { name: cut(title, 500) } : {}),
      ...(rawInput === undefined ? {} : { arguments: cut(JSON.stringify(rawInput) ?? '') }),
      ...(locations?.length
        ? {
            places: locations
              .slice(0, maxListed)
              .map(({ path, line }) => ({ path: cut(path, 1000), line: line ?? null })),
          }
        : {}),
      ...(changes?.length ? { changes } : {}),
    })
    const state = calls.get(id)
    const ended = update.status === 'completed' || update.status === 'failed'
    if (!ended || !state || state.ended) return parts
    state.ended = true
    const status = update.status === 'completed' ? 'done' : 'failed'
    return [...parts, { type: 'tool-result', callId: id, result: { status, text: cut(wordsOf(update)) } }]
  }

  return {
    call: readCall,
    update(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return update.content.type === 'text' ? write('text', text.push(update.content.text)) : []
        case 'agent_thought_chunk':
          return update.content.type === 'text' ? write('reasoning', reasoning.push(update.content.text)) : []
        case 'tool_call':
        case 'tool_call_update':
          return readCall(update)
        case 'plan':
          return tell(planId, {
            id: planId,
            name: 'plan',
            arguments: '',
            steps: update.entries.slice(0, maxListed).map(({ content, status }) => ({
              text: cut(content, 1000),
              state: status === 'completed' ? 'done' : status === 'in_progress' ? 'running' : 'pending',
            })),
          })
        default:
          return []
      }
    },
    end: () => [...write('reasoning', reasoning.end()), ...write('text', text.end())],
  }
}

const planId = 'plan'

const write = (type: 'text' | 'reasoning', delta: string): Part[] => (delta === '' ? [] : [{ type, delta }])

const changesOf = (content: readonly ToolCallContent[]): NonNullable<ToolCall['changes']> =>
  content
    .flatMap((piece) =>
      piece.type === 'diff'
        ? [
            {
              path: cut(piece.path, 1000),
              before: piece.oldText == null ? null : cut(piece.oldText),
              after: cut(piece.newText),
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

const cut = (words: string, max = maxWords): string => {
  const sound = makeHarmless(words.slice(0, max))
  return words.length > max ? `${sound}…` : sound
}

const tooMuch = () =>
  new ProviderFailure('too_large', 'The agent told too much of its tools, so the answer was ended here.')
