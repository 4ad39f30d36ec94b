/** Events of a run: from the daemon's log to the shapes of the contract. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HarnessEvent, HarnessEventData } from '@atrium/contract/agent-harness'
import { readTime } from './fields.ts'

type Field = keyof HarnessEventData
type Data = Readonly<Record<string, unknown>>

/** Of a long log: others have their turn after so many. */
const atATime = 500

/**
 * Gives the events after `after` in order, and no more than `most`. What is no event is left out, and so is a number that
 * came before.
 */
export const readEvents = async (listed: readonly unknown[], after: number, most: number): Promise<HarnessEvent[]> => {
  const events: HarnessEvent[] = []
  let last = after
  let seen = 0
  for (const one of listed) {
    seen += 1
    if (seen % atATime === 0) await nextTurn()
    const event = readEvent(one)
    if (event === null || event.eventId <= last) continue
    last = event.eventId
    events.push(event)
    if (events.length === most) break
  }
  return events
}

const typePattern = /^[a-z][a-z0-9_]{0,63}$/

/** By hand: a long log has tens of thousands of them. */
const readEvent = (one: unknown): HarnessEvent | null => {
  const { event_id: eventId, timestamp, type, data } = dataOf(one)
  if (typeof eventId !== 'number' || !Number.isSafeInteger(eventId) || eventId < 1) return null
  if (typeof type !== 'string' || !typePattern.test(type)) return null
  const fields = fieldsByType.get(type) ?? []
  return { eventId, timestamp: readTime(timestamp), type, data: readData(fields, dataOf(data)) }
}

const readData = (fields: readonly Field[], data: Data): HarnessEventData => {
  const read: Partial<Record<Field, unknown>> = {}
  for (const field of fields) {
    const value = readers[field](data)
    if (value !== undefined) read[field] = value
  }
  return read as HarnessEventData
}

const largest = 100_000

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, largest) : typeof value === 'number' ? String(value) : undefined
const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
const flagOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
const millisecondsOf = (seconds: unknown): number | undefined => {
  const value = countOf(seconds)
  return value === undefined ? undefined : Math.round(value * 1000)
}
/** Texts as they are, all else as JSON. */
const writtenOut = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : textOf(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 50) : [])
const dataOf = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})
/** What the judge of a goal said stands in an object of its own, or in the event itself. */
const judgementOf = (data: Data): Data => ({ ...data, ...dataOf(data['decision']) })

/** A question is a text, or an object that has one. */
export const questionsOf = (value: unknown): string[] =>
  listOf(value).flatMap((one) => textOf(one) ?? textOf(dataOf(one)['question']) ?? textOf(dataOf(one)['text']) ?? [])

const readers: { readonly [K in Field]: (data: Data) => HarnessEventData[K] } = {
  text: (data) => textOf(data['text']),
  content: (data) => writtenOut(data['content']),
  attachments: (data) =>
    listOf(data['attachments']).map((one) => ({
      fileName: textOf(dataOf(one)['filename'])?.slice(0, 200) ?? '',
      mediaType: textOf(dataOf(one)['media_type'])?.slice(0, 100) ?? '',
    })),
  toolCallId: (data) => textOf(data['tool_call_id'] ?? data['id']),
  name: (data) => textOf(data['name']),
  arguments: (data) => writtenOut(data['arguments']),
  resolution: (data) => textOf(data['resolution']),
  isError: (data) => flagOf(data['is_error']),
  kind: (data) => textOf(data['kind']),
  provider: (data) => textOf(data['provider']),
  model: (data) => textOf(data['model']),
  surface: (data) => textOf(data['surface']),
  workingDirectory: (data) => textOf(data['working_directory']),
  inputTokens: (data) => countOf(data['input_tokens']),
  outputTokens: (data) => countOf(data['output_tokens']),
  cachedTokens: (data) => countOf(data['cached_tokens']),
  cacheWriteTokens: (data) => countOf(data['cache_write_tokens']),
  reasoningTokens: (data) => countOf(data['reasoning_tokens']),
  cost: (data) => countOf(data['cost']),
  reason: (data) => textOf(judgementOf(data)['reason']),
  failures: (data) => countOf(data['failures']),
  retryAfterMs: (data) => millisecondsOf(data['retry_after_seconds']),
  message: (data) => textOf(data['message'] ?? data['text']),
  source: (data) => textOf(data['source']),
  state: (data) => textOf(data['state']),
  requestId: (data) => textOf(data['request_id']),
  questions: (data) => questionsOf(data['questions']),
  automationId: (data) => textOf(data['automation_id']),
  schedule: (data) => textOf(data['schedule']),
  route: (data) => textOf(data['route']),
  reportPath: (data) => textOf(data['report_path'] ?? data['path']),
  timeoutMs: (data) => millisecondsOf(data['timeout_seconds']),
  goal: (data) => textOf(data['goal']),
  done: (data) => flagOf(judgementOf(data)['done']),
  confidence: (data) => countOf(judgementOf(data)['confidence']),
  nextPrompt: (data) => textOf(judgementOf(data)['next_prompt']),
}

const begins: readonly Field[] = ['kind', 'provider', 'model', 'workingDirectory', 'surface']
const judges: readonly Field[] = ['goal', 'done', 'confidence', 'reason', 'nextPrompt']
const automation: readonly Field[] = ['automationId', 'reportPath', 'message', 'timeoutMs']

/** What is read of each type of event; of all others nothing is. */
const fieldsByType: ReadonlyMap<string, readonly Field[]> = new Map<string, readonly Field[]>([
  ['run_started', begins],
  ['run_continued', begins],
  ['user_message', ['content', 'attachments']],
  ['assistant_delta', ['text']],
  ['tool_call', ['toolCallId', 'name', 'arguments']],
  ['permission_request', ['toolCallId', 'name', 'arguments']],
  ['permission_response', ['toolCallId', 'name', 'resolution']],
  ['tool_result', ['toolCallId', 'name', 'isError', 'content']],
  [
    'usage',
    [
      'inputTokens',
      'outputTokens',
      'cachedTokens',
      'cacheWriteTokens',
      'reasoningTokens',
      'cost',
      'provider',
      'model',
      'surface',
    ],
  ],
  ['provider_fallback', ['provider', 'reason']],
  ['provider_cooldown_started', ['provider', 'failures', 'retryAfterMs']],
  ['user_question', ['requestId', 'questions']],
  ['user_question_answered', ['requestId']],
  ['error', ['message']],
  ['cancel_requested', ['source', 'reason']],
  ['cancelled', ['source', 'reason']],
  ['run_finished', ['state']],
  ['automation_triggered', ['automationId', 'name', 'schedule', 'route', 'reportPath']],
  ['automation_report_written', automation],
  ['automation_telegram_delivered', automation],
  ['automation_telegram_error', automation],
  ['automation_timeout', automation],
  ['automation_finalizer_timeout', automation],
  ['automation_error', automation],
  ['message_queued', ['message']],
  ['queue_start_failed', ['message']],
  ['user_goal', ['goal', 'message']],
  ['goal_judge', judges],
  ['goal_complete', judges],
])
