/** Following a run: live while it is written, from the log afterwards, from what is stored when the log is gone. */
import { retryDuringOutage } from '../../platform/db/index.ts'
import type { Entry, StreamName } from '../../platform/events/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { GenerationStore, StoredRun } from './store.ts'
import type { Run, RunEvent, RunKind, RunState } from './types.ts'

export type RunEventEntry = Entry<RunEvent>

export const streamIdOf = (runId: string): string => `generation:${runId}`

/** The stream of a run. */
export const streamOf = (run: Run, kind: Pick<RunKind, 'owner'>): StreamName => ({
  id: streamIdOf(run.id),
  accountId: kind.owner?.(run) ?? run.accountId,
})

interface FollowDeps extends Pick<Platform, 'events'> {
  readonly store: GenerationStore
  readonly kindOf: (run: Run) => RunKind
  /** Whether this process writes the run. */
  readonly isLive: (id: string) => boolean
}

/** Gives every event after `after`, in order, ending with exactly one `end` event unless the signal aborts. */
export async function* followRun(
  deps: FollowDeps,
  run: Run,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEventEntry> {
  let last = after
  if (run.state === 'running') {
    for await (const entry of whileRunning(deps, run, after, signal)) {
      last = Math.max(last, entry.seq)
      yield entry
      if (entry.event.type === 'end') return
    }
    if (signal.aborted) return
  }
  const ended = await retryDuringOutage(() => deps.store.read(run.id, run.accountId), signal)
  if (!ended || ended.state === 'running') return
  yield* replay(deps, ended, ended.state, last, signal)
}

const checkMs = 5000

/**
 * The events of a run while it goes on. Where another process writes it, that process may die between the end of the
 * run and the end of its stream: so the run is looked at from time to time, and the waiting is given up once it ended.
 */
async function* whileRunning(
  { events, store, isLive, kindOf }: FollowDeps,
  run: Run,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEventEntry> {
  if (isLive(run.id)) {
    yield* events.follow<RunEvent>(streamOf(run, kindOf(run)), after, signal)
    return
  }
  const over = new AbortController()
  let checks = 0
  const readLog = async (): Promise<void> => {
    const now = await store.read(run.id, run.accountId)
    if (now?.state === 'running') checks = 0
    else if ((checks += 1) > 1) over.abort()
  }
  // A look that fails is made again.
  const timer = setInterval(() => void readLog().catch(() => undefined), checkMs).unref()
  try {
    yield* events.follow<RunEvent>(streamOf(run, kindOf(run)), after, AbortSignal.any([signal, over.signal]))
  } finally {
    clearInterval(timer)
  }
}

/** A finished run, to its end. */
async function* replay(
  deps: Pick<FollowDeps, 'events' | 'kindOf'>,
  run: StoredRun,
  state: Exclude<RunState, 'running'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEventEntry> {
  let last = after
  const stream = streamOf(run, deps.kindOf(run))
  const entries = await retryDuringOutage(() => deps.events.read<RunEvent>(stream, after), signal)
  for (const entry of entries) {
    last = entry.seq
    yield entry
    if (entry.event.type === 'end') return
  }
  if (run.lastSeq !== null && last >= run.lastSeq) return
  // From the beginning, and nothing in the log: tell the whole story again from what is stored.
  if (after === 0 && entries.length === 0) {
    const stored = await retryDuringOutage(() => deps.kindOf(run).readStored(run), signal)
    const story: RunEvent[] = [{ type: 'start', data: { generationId: run.id, context: null } }]
    const retrieval = stored?.retrieval
    if (retrieval) {
      story.push({ type: 'search', data: { status: 'done', where: retrieval.web ? 'web' : 'documents', retrieval } })
    }
    if (stored && stored.sources.length > 0) story.push({ type: 'sources', data: { items: [...stored.sources] } })
    if (stored?.reasoning) story.push({ type: 'reasoning', data: { delta: stored.reasoning } })
    const text = stored?.text.slice(run.baseLength)
    if (text) story.push({ type: 'text', data: { delta: text } })
    for (const event of story) {
      last += 1
      yield { seq: last, event }
    }
  }
  yield { seq: Math.max(run.lastSeq ?? 0, last + 1), event: { type: 'end', data: { state } } }
}
