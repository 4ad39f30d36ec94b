/**
 * Films: submitted at once, then asked about by whoever polls, and by the server where nobody does. One question at a time
 * in all processes; whoever takes the result up holds the job meanwhile, so that there is one download and one item.
 */
import type { VideoJob, VideoWish } from '@atrium/contract/media-gallery'
import type { UsableVideo } from '../../../core/connections/index.ts'
import type { Caller, Context } from '../../../platform/http/area.ts'
import { fail, Refusal } from '../../../platform/http/refusal.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { addItem } from '../add.ts'
import { announceJob, itemsOf, type MediaJobContext, toJobs } from './context.ts'
import { endJob, type InChat, retryWhileAway, storeJob } from './make.ts'
import { requireNone } from './models.ts'
import { videoIssues } from './options.ts'
import { factsOf } from './pictures.ts'
import { openHandle, openJobPrompt, openOptions, sealHandle } from './rows.ts'
import { advanceJob, codeOfFailure, failureOf, leastGapMs, longestJobMs } from './rules.ts'
import { readSource } from './sources.ts'
import { submitStoppably } from './submission.ts'
import type { MediaJobRow } from './tables.ts'

const submitMs = 60_000
const askMs = 20_000
/** Of a lease that is left when what it is for has to end. */
const spareMs = 5000
const fetchMs = 5 * 60_000

type Request = Pick<Context<Caller>, 'caller' | 'header'>

/** Stores the job, then asks the provider. Refuses in the words of what went wrong. */
export async function submitFilm(
  usable: UsableVideo,
  context: MediaJobContext,
  request: Request,
  wish: VideoWish,
  inChat?: InChat,
): Promise<MediaJobRow> {
  const { accountId, token } = request.caller
  const { store, vault, clock, counts } = context
  requireNone(videoIssues(wish, usable.config))
  const { model, pluginId, prompt, firstFrameId, lastFrameId, ...chosen } = wish
  const frame = async (id: string | undefined, field: string) =>
    id === undefined ? undefined : await readSource(context, accountId, id, field)
  const [firstFrame, lastFrame] = [await frame(firstFrameId, 'firstFrameId'), await frame(lastFrameId, 'lastFrameId')]
  const options = factsOf({ ...chosen, firstFrameId, lastFrameId })
  const making = { kind: 'video', model, pluginId, prompt, options, asked: wish, inChat } as const
  const { row, isNew } = await storeJob(context, request, making, 'pending')
  if (!isNew) return row
  const { durationMs, ...said } = chosen
  const ask = { ...said, prompt, seconds: durationMs && durationMs / 1000, firstFrame, lastFrame, key: row.id }
  try {
    await inChat?.begun(row.id)
    const about = { tokenId: token?.id ?? null }
    const { handle, count } = await submitStoppably(context, row, usable.cancellable, (stops) =>
      usable.submit(ask, AbortSignal.any([AbortSignal.timeout(submitMs), ...stops]), about),
    )
    counts.set(row.id, count)
    const keepHandle = async (): Promise<boolean> => {
      const sealed = sealHandle(await vault.keyring(accountId), row.id, handle)
      const now = clock.now()
      const cancellable = usable.cancellable ? 1 : 0
      return await store.change(row.id, { handle: sealed, cancellable, polled_at: now, updated_at: now })
    }
    // Where nobody can write it down, nobody can ask for the film any more.
    const isGoing = await retryWhileAway(new AbortController().signal, keepHandle)
    // It was cancelled while it was submitted: the provider hears of it now.
    if (!isGoing) await dropFilm(context, row, usable, handle)
  } catch (error) {
    const failure = failureOf(error) ?? 'refused'
    await endJob(context, row, { status: 'failed', failure })
    if (error instanceof ProviderFailure) {
      throw fail(error.kind === 'no_key' ? 'api_key_needed' : codeOfFailure[failure], error.message)
    }
    throw error
  }
  const now = await store.read(accountId, row.id)
  if (!now) throw fail('job_not_found')
  return now
}

const dropFilm = async (
  context: MediaJobContext,
  row: MediaJobRow,
  usable: UsableVideo,
  handle: Parameters<UsableVideo['cancel']>[0],
) => {
  await usable.cancel(handle)
  context.counts.get(row.id)?.('cancelled')
  context.counts.delete(row.id)
}

/** Asks the provider how a film stands, unless somebody does or did just now, and takes it up when it is done. */
export async function lookAtFilm(context: MediaJobContext, row: MediaJobRow): Promise<MediaJobRow> {
  const { store, clock, log } = context
  const read = async () => (await store.read(row.account_id, row.id)) ?? row
  if (row.ended_at !== null || row.handle === null) return row
  const lease = clock.id()
  const now = clock.now()
  if (!(await store.claim(row.id, lease, { now, until: now + askMs, gapMs: leastGapMs }))) return await read()
  try {
    await step(context, row, lease)
  } catch (error) {
    log.warn('A media job could not be asked about.', { error })
  } finally {
    await store.release(row.id, lease)
  }
  return await read()
}

async function step(context: MediaJobContext, row: MediaJobRow, lease: string): Promise<void> {
  const { store, clock, vault, connections } = context
  const keys = await vault.keyring(row.account_id)
  const handle = openHandle(keys, row)
  const found = await connections.video(row.account_id, { providerId: row.plugin_id, model: row.model })
  const usable = 'usable' in found ? found.usable : null
  if (usable && usable.lookMs > askMs && !(await store.extend(row.id, lease, clock.now() + usable.lookMs + spareMs)))
    return
  const report: Looked = usable && handle ? await ask(usable, handle) : { state: 'unclear' }
  const next = advanceJob(row, report, clock.now())
  if (next.to === 'same') return
  if (next.to === 'in_progress') {
    const changed = { status: 'in_progress', progress: next.progress, updated_at: clock.now() } as const
    if (!(await store.change(row.id, changed))) return
    if (row.status !== 'in_progress' || row.progress !== next.progress)
      await announceJob(context, { ...row, ...changed })
    return
  }
  if (next.to === 'failed') {
    await endFilm(context, row, lease, { status: 'failed', failure: next.failure }, usable)
    return
  }
  if (report.state !== 'done' || usable === null) return
  if (!(await store.extend(row.id, lease, clock.now() + fetchMs))) return
  await takeUp(context, row, lease, usable, report.result)
}

type Told = Awaited<ReturnType<UsableVideo['look']>>
type Looked = Told | { readonly state: 'unclear' }
type FilmFound = Extract<Told, { readonly state: 'done' }>['result']

async function ask(usable: UsableVideo, handle: Parameters<UsableVideo['look']>[0]): Promise<Looked> {
  try {
    return await usable.look(handle, AbortSignal.timeout(usable.lookMs + 1000))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { state: 'unclear' }
  }
}

/** Downloads it into sealed storage as it arrives. What was cancelled meanwhile is dropped. */
async function takeUp(
  context: MediaJobContext,
  row: MediaJobRow,
  lease: string,
  usable: UsableVideo,
  found: FilmFound,
) {
  const { store, vault, items, clock } = context
  const keys = await vault.keyring(row.account_id)
  const signal = AbortSignal.timeout(fetchMs - 10_000)
  try {
    // Taken up before by a process that died before it could say so.
    if (!(await store.hasMade(row.id))) {
      const { body } = await usable.open(found, signal)
      const item = await addItem(context, row.account_id, {
        kind: 'video',
        content: body,
        prompt: openJobPrompt(keys, row),
        model: row.model,
        pluginId: row.plugin_id,
        options: openOptions(keys, row),
        sources: framesOf(openOptions(keys, row)),
        jobId: row.id,
        chatId: row.chat_id ?? undefined,
        signal,
      })
      if (await endFilm(context, row, lease, { status: 'completed', durationMs: item.durationMs }, usable)) return
      if (!(await isDropped(context, row, item.id))) return
      await items.setDeleted(row.account_id, [item.id], clock.now())
      await items.removeDeleted(row.account_id, item.id)
      return
    }
    const [before] = await itemsOf(context, row)
    await endFilm(context, row, lease, { status: 'completed', durationMs: before?.durationMs }, usable)
  } catch (error) {
    const failure = failureOf(error)
    // What a broken connection lost is fetched again with the next question.
    const lasting =
      failure === 'too_large' || failure === 'redirected' || failure === 'expired' || failure === 'no_room'
    const refused = error instanceof Refusal && failure !== null
    const late = failure !== null && clock.now() - row.created_at >= longestJobMs
    if (!lasting && !refused && !late) throw error
    await endFilm(context, row, lease, { status: 'failed', failure }, usable)
  }
}

/**
 * Whether nobody wants a film that was taken up under a lease that is over: its job was stopped, or has another film. A
 * process that stood still for long may find that another one ended the job with this very film.
 */
async function isDropped({ store }: MediaJobContext, row: MediaJobRow, itemId: string): Promise<boolean> {
  const now = await store.read(row.account_id, row.id)
  if (!now || now.status === 'failed') return true
  const made = (await store.madeBy([row.id])).get(row.id) ?? []
  return now.status === 'completed' && made.some(({ id }) => id !== itemId)
}

const framesOf = (options: Readonly<Record<string, unknown>>): string[] =>
  [options['firstFrameId'], options['lastFrameId']].filter((id) => typeof id === 'string')

/** Ends a film and its count; whether it was this end that won. */
async function endFilm(
  context: MediaJobContext,
  row: MediaJobRow,
  lease: string | undefined,
  { durationMs, ...end }: FilmEnd,
  usable: UsableVideo | null,
): Promise<boolean> {
  const { store, clock, counts } = context
  if (!(await store.end(row.id, end, clock.now(), lease))) return false
  const ended = await store.read(row.account_id, row.id)
  if (ended) await announceJob(context, ended)
  const count = counts.get(row.id) ?? (await usable?.recount(row.created_at, { tokenId: row.token_id }))
  counts.delete(row.id)
  const failed = end.failure === 'cancelled' ? 'cancelled' : 'error'
  // Paid for is what came; where that does not tell, what was wished.
  const { durationMs: wished } = openOptions(await context.vault.keyring(row.account_id), row)
  const length = durationMs ?? (typeof wished === 'number' ? wished : null)
  count?.(end.status === 'completed' ? 'success' : failed, {
    error: countedAs(end.failure ?? null),
    seconds: length === null ? undefined : length / 1000,
  })
  return true
}

interface FilmEnd {
  readonly status: 'completed' | 'failed'
  readonly failure?: MediaJobRow['failure']
  /** How long the film became, where it tells. */
  readonly durationMs?: number | null | undefined
}

const countedAs = (failure: MediaJobRow['failure']): ProviderFailure | undefined =>
  failure === null || failure === 'cancelled'
    ? undefined
    : new ProviderFailure(failure === 'moderated' ? 'moderated' : 'rejected', 'The film was not made.')

/** Ends it here, then tells its provider, where that is possible. Refuses with `media_job_ended`. */
export async function cancelFilm(context: MediaJobContext, row: MediaJobRow): Promise<MediaJobRow> {
  const { vault, connections, store } = context
  const found = await connections.video(row.account_id, { providerId: row.plugin_id, model: row.model })
  const usable = 'usable' in found ? found.usable : null
  if (!(await endFilm(context, row, undefined, { status: 'failed', failure: 'cancelled' }, usable))) {
    throw fail('media_job_ended')
  }
  // Other processes see it within a second.
  context.running.get(row.id)?.stop()
  const handle = openHandle(await vault.keyring(row.account_id), row)
  if (usable && handle) await usable.cancel(handle)
  return (await store.read(row.account_id, row.id)) ?? row
}

/** A job of a film with the film. */
export async function toVideoJob(context: MediaJobContext, row: MediaJobRow): Promise<VideoJob> {
  const [job] = await toJobs(context, row.account_id, [row])
  if (!job) throw fail('job_not_found')
  const [media = null] = row.status === 'completed' ? await itemsOf(context, row) : []
  return { ...job, media }
}
