/**
 * What is made while somebody waits. It is stored before its provider is asked, goes on when the page is closed, and is
 * never asked for twice by itself: what a process that died left open stands as interrupted.
 */
import type { MediaFacts, MediaJobFailure, MediaJobKind, MissingMedia } from '@atrium/contract/media-gallery'
import type { Caller, Context } from '../../../platform/http/area.ts'
import { isUnreachable, retryDuringOutage } from '../../../platform/db/index.ts'
import { fail, Refusal } from '../../../platform/http/refusal.ts'
import type { CallNews } from '../../../providers/operations/index.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { addItem, type NewItem } from '../add.ts'
import { checkRoom } from '../quota.ts'
import { announceJob, type MediaJobContext } from './context.ts'
import { keepPartial, type PartialPicture, toShowable } from './partials.ts'
import { sealJob } from './rows.ts'
import { codeOfFailure, failureOf } from './rules.ts'
import type { MediaJobRow } from './tables.ts'

export interface Making {
  readonly kind: MediaJobKind
  readonly model: string
  readonly pluginId: string
  readonly prompt: string
  /** What it is made with, to make another with the same. */
  readonly options: MediaFacts
  /** All that was asked, for an `Idempotency-Key`. */
  readonly asked: unknown
  /** Where it is made in a chat. */
  readonly inChat?: InChat | undefined
}

export interface InChat {
  /** null: an answer that belongs to none. */
  readonly chatId: string | null
  /** Told of the job before its provider is asked. */
  readonly begun: (jobId: string) => Promise<void>
  /** A picture as far as it is, if a page can show it. */
  readonly drawn: (bytes: Uint8Array) => void
}

export interface MakingResult {
  readonly items: readonly Pick<NewItem, 'kind' | 'content' | 'metadata' | 'sources'>[]
  readonly missing: MissingMedia | null
}

/** Asks the provider. */
export type MakeMedia = (signal: AbortSignal, heard: (news: CallNews) => void) => Promise<MakingResult>

const longestOutageMs = 15 * 60_000
const keyForm = /^[\x21-\x7e]{1,255}$/
/** How often another process is asked to stop, and how far it is told. */
const watchMs = 1000

/** Stores a job. `isNew`: false where the same request was made before under its key. */
export async function storeJob(
  context: MediaJobContext,
  { caller, header }: Pick<Context<Caller>, 'caller' | 'header'>,
  making: Making,
  status: 'pending' | 'in_progress',
): Promise<{ readonly row: MediaJobRow; readonly isNew: boolean }> {
  const { accountId, token } = caller
  const { clock, store, vault, processId } = context
  const key = header('idempotency-key')
  if (key !== null && !keyForm.test(key)) {
    throw fail('validation_failed', 'The Idempotency-Key must be 1 to 255 visible characters.')
  }
  const keyDigest = key === null ? null : vault.blindIndex('media_jobs.key', JSON.stringify([token?.id ?? null, key]))
  const bodyDigest =
    key === null ? null : vault.blindIndex('media_jobs.body', JSON.stringify([making.kind, making.asked]))
  if (keyDigest !== null) {
    const before = await store.readByKey(accountId, keyDigest)
    if (before) return { row: sameRequest(before, bodyDigest), isNew: false }
  }
  // A full gallery is told before anybody is paid.
  await checkRoom(context, accountId)
  const id = clock.id()
  const now = clock.now()
  const keys = await vault.keyring(accountId)
  const row: MediaJobRow = Object.assign(sealJob(keys, id, making.prompt, making.options), {
    id,
    account_id: accountId,
    kind: making.kind,
    status,
    model: making.model,
    plugin_id: making.pluginId,
    handle: null,
    failure: null,
    missing_count: 0,
    missing_reason: null,
    progress: null,
    cancellable: 1,
    process_id: processId,
    token_id: token?.id ?? null,
    chat_id: making.inChat?.chatId ?? null,
    key_digest: keyDigest,
    body_digest: bodyDigest,
    polled_at: now,
    collect_at: now,
    collected: 0,
    asked_at: 0,
    lease: null,
    lease_until: 0,
    created_at: now,
    updated_at: now,
    ended_at: null,
  })
  if (await store.insert(row)) {
    await announceJob(context, row)
    return { row, isNew: true }
  }
  const before = keyDigest === null ? null : await store.readByKey(accountId, keyDigest)
  if (!before) throw fail('conflict')
  return { row: sameRequest(before, bodyDigest), isNew: false }
}

const sameRequest = (before: MediaJobRow, bodyDigest: string | null): MediaJobRow => {
  if (before.body_digest === bodyDigest) return before
  throw fail('id_reused', 'This Idempotency-Key was already used for a different request.')
}

/** Makes it and gives the job as it ended. Refuses in the words of what went wrong. */
export async function makeMedia(
  context: MediaJobContext,
  request: Pick<Context<Caller>, 'caller' | 'header' | 'signal'>,
  making: Making,
  make: MakeMedia,
): Promise<MediaJobRow> {
  const { row, isNew } = await storeJob(context, request, making, 'in_progress')
  const ended = isNew ? await run(context, row, making, make) : await waitFor(context, row, request.signal)
  if (ended.row.failure !== null) throw ended.error ?? fail(codeOfFailure[ended.row.failure])
  return ended.row
}

interface EndedJob {
  readonly row: MediaJobRow
  /** In the provider's case; absent where another request hears of it. */
  readonly error?: unknown
}

async function run(context: MediaJobContext, row: MediaJobRow, making: Making, make: MakeMedia): Promise<EndedJob> {
  const { running, log } = context
  const stop = new AbortController()
  const over = Promise.withResolvers<void>()
  running.set(row.id, { accountId: row.account_id, stop: () => stop.abort(), ended: over.promise })
  let progress = row.progress
  let told = row.progress
  let picture: PartialPicture | null = null
  let number = 0
  const heard = (news: CallNews): void => {
    if (news.progress !== undefined) progress = Math.max(progress ?? 0, Math.round(news.progress * 1000))
    const shown = news.partial ? toShowable(news.partial) : null
    if (shown) {
      picture = shown
      number += 1
      making.inChat?.drawn(shown.bytes)
    }
  }
  const watch = setInterval(() => {
    const changed = progress !== told
    told = progress
    const partial = picture && { picture, number }
    picture = null
    const news = { progress: changed || partial ? progress : null, partial }
    void watchJob(context, row, news, () => stop.abort()).catch((error: unknown) =>
      log.warn('A media job could not be looked after.', { error }),
    )
  }, watchMs)
  try {
    await making.inChat?.begun(row.id)
    const made = await make(stop.signal, heard)
    const missing = await keepItems(context, row, making, made, stop.signal)
    return { row: await retryWhileAway(stop.signal, () => endJob(context, row, { status: 'completed', missing })) }
  } catch (error) {
    const failure = failureOf(error)
    const ended = await endJob(context, row, { status: 'failed', failure: failure ?? 'refused' })
    if (failure === null) throw error
    return { row: ended, error: ended.failure === failure ? refusalFor(failure, error) : undefined }
  } finally {
    clearInterval(watch)
    running.delete(row.id)
    over.resolve()
  }
}

/** Does what must not be lost again and again while the database is away, for so long at most and until a stop. */
export const retryWhileAway = <T>(stopped: AbortSignal, work: () => Promise<T>): Promise<T> =>
  retryDuringOutage(work, AbortSignal.any([stopped, AbortSignal.timeout(longestOutageMs)]), isUnreachable)

/** Keeps what was made, and tells what is missing. What cannot be kept takes nothing of the rest with it. */
async function keepItems(
  context: MediaJobContext,
  row: MediaJobRow,
  { prompt, model, pluginId, options }: Making,
  { items, missing }: MakingResult,
  stopped: AbortSignal,
): Promise<MissingMedia | null> {
  const lost: { readonly error: unknown; readonly reason: MediaJobFailure }[] = []
  const keep = async (item: MakingResult['items'][number]): Promise<void> => {
    // Its account may be gone by now, and with it whoever could delete this.
    if (!(await context.store.read(row.account_id, row.id))) throw fail('job_not_found')
    const about = { prompt, model, pluginId, options, jobId: row.id, chatId: row.chat_id ?? undefined }
    await addItem(context, row.account_id, Object.assign(about, item))
  }
  for (const item of items) {
    try {
      await retryWhileAway(stopped, () => keep(item))
    } catch (error) {
      const reason = failureOf(error)
      if (reason === null) throw error
      lost.push({ error, reason })
    }
  }
  const [first] = lost
  if (!first) return missing
  if (lost.length === items.length) throw first.error
  return { count: lost.length + (missing?.count ?? 0), reason: missing?.reason ?? first.reason }
}

interface JobNews {
  /** null: as before. */
  readonly progress: number | null
  readonly partial: { readonly picture: PartialPicture; readonly number: number } | null
}

/** Tells how far it is, and hears whether it was ended elsewhere. */
async function watchJob(
  context: MediaJobContext,
  row: MediaJobRow,
  { progress, partial }: JobNews,
  stop: () => void,
): Promise<void> {
  const { store, clock } = context
  const { id, account_id } = row
  if (progress === null && partial === null) {
    const now = await store.read(account_id, id)
    if (!now || now.ended_at !== null) stop()
    return
  }
  if (!(await store.change(id, { progress, updated_at: clock.now() }))) return stop()
  if (partial) await keepPartial(context, row, partial.picture, partial.number)
  await announceJob(context, { id, account_id, status: 'in_progress', progress }, partial?.number)
}

/** Ends a job, unless it had ended, and gives it as it is then. */
export async function endJob(
  context: MediaJobContext,
  row: MediaJobRow,
  end: Parameters<MediaJobContext['store']['end']>[1],
  lease?: string,
): Promise<MediaJobRow> {
  const { store, clock } = context
  const won = await store.end(row.id, end, clock.now(), lease)
  const now = await store.read(row.account_id, row.id)
  if (!now) throw fail('job_not_found')
  if (won) await announceJob(context, now)
  return now
}

/** Ends a job that is no film as cancelled, unless it had ended. */
export async function stopMaking(context: MediaJobContext, row: MediaJobRow): Promise<MediaJobRow> {
  const ended = await endJob(context, row, { status: 'failed', failure: 'cancelled' })
  // Other processes see it within a second.
  context.running.get(row.id)?.stop()
  return ended
}

/** The same request again: it waits for what is being made, wherever that is. */
async function waitFor(context: MediaJobContext, row: MediaJobRow, signal: AbortSignal): Promise<EndedJob> {
  await context.running.get(row.id)?.ended
  for (;;) {
    const now = await context.store.read(row.account_id, row.id)
    if (!now) throw fail('job_not_found')
    if (now.ended_at !== null) return { row: now }
    if (signal.aborted) throw fail('request_aborted')
    await new Promise((go) => setTimeout(go, watchMs))
  }
}

/** In the words of the provider's failure, which hold nothing of what it said. */
const refusalFor = (failure: keyof typeof codeOfFailure, error: unknown): Refusal => {
  if (error instanceof Refusal && failure === 'no_room') return error
  const code = error instanceof ProviderFailure && error.kind === 'no_key' ? 'api_key_needed' : codeOfFailure[failure]
  return error instanceof ProviderFailure && failure !== 'cancelled' ? fail(code, error.message) : fail(code)
}
