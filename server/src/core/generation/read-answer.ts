/** Prepares a run's answer and reads it to its end. */
import type { ContextPlan, Failure } from '@atrium/contract/generation'
import type { Clock } from '../../platform/clock.ts'
import { isUnreachable, retryDuringOutage } from '../../platform/db/index.ts'
import type { Database } from '../../platform/db/types.ts'
import type { StreamWriter } from '../../platform/events/types.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import { ProviderFailure } from '../../providers/types.ts'
import type { AnswerCollector } from './answer-collector.ts'
import { failureOf } from './rules.ts'
import type { Run, RunEvent, RunRequest, SearchProgress } from './types.ts'

/** Prepares and reads the answer; gives why it failed, null when it did not (or was aborted). */
export const readAnswer = async (
  run: Run,
  request: RunRequest,
  writer: StreamWriter<RunEvent>,
  collected: AnswerCollector,
  signal: AbortSignal,
  {
    clock,
    database,
    log,
  }: { readonly clock: Pick<Clock, 'now'>; readonly database: Pick<Database, 'ping'>; readonly log: Log },
): Promise<Failure | null> => {
  let announced = false
  let over = false
  const announce = (context: ContextPlan | null): void => {
    if (!announced) writer.append({ type: 'start', data: { generationId: run.id, context } })
    announced = true
  }
  /** The start comes before any search progress, and nothing comes after the end. */
  const report = (progress: SearchProgress): void => {
    if (over) return
    announce(null)
    writer.append({ type: 'search', data: progress })
  }
  try {
    const prepared = await orAborted(prepareAnyway(request, report, database, signal), signal)
    announce(prepared?.plan ?? null)
    if (!prepared) return null
    await collected.read(prepared, signal)
    const { text, reasoning, toolCalls, lostPictures } = collected.answer()
    const empty =
      text === '' && reasoning === '' && toolCalls.length === 0 && !collected.hasPictures() && !prepared.isWordless
    if (!empty || run.baseLength > 0) return null
    const detail = lostPictures > 0 ? 'The model’s image couldn’t be saved.' : 'The model gave an empty answer.'
    return { code: 'provider_failed', detail }
  } catch (error) {
    announce(null)
    if (signal.aborted) return null
    if (error instanceof ProviderFailure) return failureOf(error, clock.now())
    if (error instanceof Refusal) return { code: error.code, detail: error.message }
    log.error('an answer failed', { error, generationId: run.id })
    return { code: 'internal', detail: 'Something went wrong on the server while this was being written.' }
  } finally {
    over = true
  }
}

/**
 * The question was acknowledged, so its answer waits for a database that is away. What was found on the web by then is
 * looked up again, and costs again: not before the database answers.
 */
const prepareAnyway = (
  request: RunRequest,
  report: (progress: SearchProgress) => void,
  database: Pick<Database, 'ping'>,
  signal: AbortSignal,
): ReturnType<RunRequest['prepare']> => {
  let tries = 0
  const prepare: typeof request.prepare = async (...given) => {
    if (++tries > 1) await database.ping()
    return await request.prepare(...given)
  }
  return retryDuringOutage(() => prepare(signal, report), signal, isUnreachable)
}

/** The value, or null at once when the signal aborts; what the work says afterwards is of no interest. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(null)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
