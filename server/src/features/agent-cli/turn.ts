/** One turn of a chat with an agent: its words and calls as parts, and its questions for permission. */
import type { ToolApproval, ToolDecision } from '@atrium/contract/generation'
import { type Part, ProviderFailure } from '../../providers/types.ts'
import type { AgentConnection, Question, TurnEnd } from './connection.ts'
import { createPartQueue } from './part-queue.ts'
import type { AgentProcess } from './process.ts'
import type { AgentWords } from './words.ts'

export interface TurnRequest {
  readonly name: string
  readonly process: AgentProcess
  readonly connection: AgentConnection
  readonly session: string
  readonly words: AgentWords
  readonly signal: AbortSignal
  /** How long it may be silent. */
  readonly silenceMs: number
  /** Bytes that it may write. */
  readonly maxOutputBytes: number
  readonly newId: () => string
  /** Aborts with a failure when the account may not talk to agents any more. */
  readonly lost: AbortSignal
  readonly mayUse: () => Promise<boolean>
}

interface Waiting {
  readonly callId: string
  readonly approval: ToolApproval
  readonly decide: (decision: ToolDecision | null) => void
}

/** Questions for permission of one turn, and those that wait at a time. */
const maxQuestions = 100
const maxWaiting = 10

/** What is said to whoever lost the right while an agent was at work for them. */
export const noAccess = (name: string): ProviderFailure =>
  new ProviderFailure('rejected', `You don’t have access to ${name} any more, so the answer was ended here.`)

/** The parts of the answer; returns how it ended, null where the signal aborted. Throws ProviderFailure. */
export async function* runTurn(request: TurnRequest): AsyncGenerator<readonly Part[], TurnEnd | null> {
  const { name, process, connection, session, signal } = request
  const queue = createPartQueue()
  const waiting = new Map<string, Waiting>()
  let questions = 0
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const why = waiting.size > 0 ? 'waited for permission' : 'said nothing'
      const minutes = Math.max(1, Math.round(request.silenceMs / 60_000))
      const long = minutes === 1 ? 'a minute' : `${minutes} minutes`
      queue.fail(new ProviderFailure('timeout', `${name} ${why} for ${long}, so the answer was ended.`))
    }, request.silenceMs)
  }
  const count = (chunk: Buffer): void => {
    heard()
    bytes += chunk.length
    if (bytes > request.maxOutputBytes) {
      queue.fail(
        new ProviderFailure(
          'too_large',
          `${name} wrote more than ${Math.round(request.maxOutputBytes / 1_000_000)} MB, so the answer was cut off here.`,
        ),
      )
    }
  }
  const tell = (read: () => readonly Part[]): void => {
    try {
      queue.push(...read())
    } catch (error) {
      queue.fail(error)
    }
  }
  const ask = async ({ callId, decisions }: Question): Promise<ToolDecision | null> => {
    questions += 1
    if (questions > maxQuestions || waiting.size >= maxWaiting) {
      queue.fail(
        new ProviderFailure('rejected', `${name} asked for permission too often, so the answer was ended here.`),
      )
    }
    if (queue.over) return null
    // A call has one question: nobody would be shown the former one any more.
    for (const former of waiting.values()) if (former.callId === callId) giveUp(former)
    const approval = { id: request.newId(), decisions: [...decisions], decision: null }
    const { id } = approval
    const decision = await new Promise<ToolDecision | null>((decide) => {
      waiting.set(id, { callId, approval, decide })
      queue.push({ type: 'approval', callId, approval, decide })
    })
    waiting.delete(id)
    if (decision === null) return null
    try {
      if (!(await request.mayUse())) throw noAccess(name)
    } catch (error) {
      queue.fail(error)
      return null
    }
    heard()
    queue.push({ type: 'approval', callId, approval: { ...approval, decision } })
    return decision
  }
  const giveUp = ({ callId, approval, decide }: Waiting): void => {
    waiting.delete(approval.id)
    queue.push({ type: 'approval', callId, approval })
    decide(null)
  }

  const onAbort = (): void => {
    queue.end()
    // The process is ended besides, so that a message that does not get through is no matter.
    connection.cancel(session).catch(() => undefined)
  }
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  const onLost = (): void => queue.fail(request.lost.reason)
  request.lost.addEventListener('abort', onLost)
  if (request.lost.aborted) onLost()
  process.stdout.on('data', count)
  heard()
  const { images } = request.words
  const note =
    images.length > 0 && !connection.takesImages
      ? `\n\n[${images.length} pictures were left out, as you take none.]`
      : ''
  let end: TurnEnd | null = null
  connection.prompt(session, { images, text: request.words.text + note }, { tell, ask }).then(
    (ended) => {
      end = ended
      queue.end()
    },
    (error: unknown) => queue.fail(error),
  )
  try {
    yield* queue.read()
    return end
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    request.lost.removeEventListener('abort', onLost)
    process.stdout.off('data', count)
    queue.end()
    for (const { decide } of waiting.values()) decide(null)
  }
}
