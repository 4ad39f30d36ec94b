/** One turn of a chat with an agent: its words and calls as parts, and its questions for permission. */
import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { ToolDecision } from '@atrium/contract/generation'
import { type Part, ProviderFailure } from '../../providers/types.ts'
import type { AcpConnection } from './acp/connection.ts'
import { createUpdateReader } from './acp/updates.ts'
import { createPartQueue } from './part-queue.ts'
import { type AgentProcess, stoppedWorking } from './process.ts'
import type { AgentWords } from './words.ts'

export interface TurnRequest {
  readonly name: string
  readonly process: AgentProcess
  readonly connection: AcpConnection
  readonly session: string
  readonly words: AgentWords
  readonly signal: AbortSignal
  /** How long it may be silent. */
  readonly silenceMs: number
  readonly newId: () => string
}

/** Bytes that an agent may write in one turn. */
export const maxOutputBytes = 2_000_000
/** Questions for permission of one turn, and those that wait at a time. */
const maxQuestions = 100
const maxWaiting = 10

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  cancelled: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'content_filter',
}

/** The parts of the answer. Throws ProviderFailure; ends when the signal aborts. */
export async function* runTurn(request: TurnRequest): AsyncGenerator<readonly Part[]> {
  const { name, process, connection, session, signal } = request
  const queue = createPartQueue()
  const reader = createUpdateReader()
  const waiting = new Map<string, (decision: ToolDecision | null) => void>()
  let questions = 0
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const why = waiting.size > 0 ? 'waited for permission' : 'said nothing'
      const minutes = Math.max(1, Math.round(request.silenceMs / 60_000))
      queue.fail(new ProviderFailure('timeout', `${name} ${why} for ${minutes} minutes, so the answer was ended.`))
    }, request.silenceMs)
  }
  const count = (chunk: Buffer): void => {
    heard()
    bytes += chunk.length
    if (bytes > maxOutputBytes) {
      queue.fail(
        new ProviderFailure('too_large', `${name} wrote more than two megabytes, so the answer was ended here.`),
      )
    }
  }
  const take = (read: () => readonly Part[]): void => {
    try {
      queue.push(...read())
    } catch (error) {
      queue.fail(error)
    }
  }

  const permission = async ({ toolCall, options }: RequestPermissionRequest): Promise<string | null> => {
    questions += 1
    if (questions > maxQuestions || waiting.size >= maxWaiting) {
      queue.fail(
        new ProviderFailure('rejected', `${name} asked for permission too often, so the answer was ended here.`),
      )
    }
    if (queue.over) return null
    const id = request.newId()
    const decisions = decisionsOf(options)
    take(() => reader.call(toolCall))
    const callId = toolCall.toolCallId.slice(0, 200)
    const decision = await new Promise<ToolDecision | null>((decide) => {
      waiting.set(id, decide)
      queue.push({ type: 'approval', callId, approval: { id, decisions, decision: null }, decide })
    })
    waiting.delete(id)
    if (decision === null) return null
    heard()
    queue.push({ type: 'approval', callId, approval: { id, decisions, decision } })
    return optionOf(options, decision)
  }

  const onAbort = (): void => {
    queue.end()
    // The process is ended besides, so that a message that does not get through is no matter.
    connection.cancel(session).catch(() => undefined)
  }
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  process.stdout.on('data', count)
  heard()
  void process.exited.then((how) => queue.fail(stoppedWorking(name, how)))
  const images = connection.takesImages ? request.words.images : []
  const left = request.words.images.length - images.length
  const note = left > 0 ? `\n\n[${left} pictures were left out, as you take none.]` : ''
  connection
    .prompt(
      session,
      [
        { type: 'text', text: request.words.text + note },
        ...images.map(({ mediaType, data }) => ({ type: 'image' as const, mimeType: mediaType, data })),
      ],
      { update: (update) => take(() => reader.update(update)), permission },
    )
    .then(
      ({ stopReason, usage }) => {
        take(() => reader.end())
        if (usage) {
          const { inputTokens, outputTokens, cachedReadTokens } = usage
          queue.push({ type: 'usage', inputTokens, outputTokens, cachedTokens: cachedReadTokens ?? undefined })
        }
        queue.push({ type: 'finish', reason: reasons[stopReason] ?? 'stop' })
        queue.end()
      },
      (error: unknown) => queue.fail(error),
    )
  try {
    yield* queue.read()
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    process.stdout.off('data', count)
    queue.end()
    for (const decide of waiting.values()) decide(null)
  }
}

const kindOf: Readonly<Record<ToolDecision, readonly PermissionOption['kind'][]>> = {
  allow_once: ['allow_once'],
  always_allow_tool: ['allow_always'],
  deny: ['reject_once', 'reject_always'],
}

/** What can be answered, by what the options do, whatever the agent calls them. To refuse is always possible. */
const decisionsOf = (options: readonly PermissionOption[]): ToolDecision[] =>
  (['allow_once', 'always_allow_tool', 'deny'] as const).filter(
    (decision) => decision === 'deny' || optionOf(options, decision) !== null,
  )

/** null: it has no such option, which the protocol says as a question that nobody answered. */
const optionOf = (options: readonly PermissionOption[], decision: ToolDecision): string | null => {
  for (const kind of kindOf[decision]) {
    const option = options.find((one) => one.kind === kind)
    if (option) return option.optionId
  }
  return null
}
