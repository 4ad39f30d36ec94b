/** Adds an item: tells what its bytes are, keeps them, measures them, and puts it in front of its owner. */
import { type MediaFacts, type MediaItem, type MediaKind, maxMediaBytes } from '@atrium/contract/media-gallery'
import { headBytes, mediaTypeOf } from '../../platform/formats/playback/type.ts'
import { fail } from '../../platform/http/refusal.ts'
import { announceItem, type MediaContext } from './context.ts'
import { keepContent } from './keep.ts'
import { titleOf } from './rules.ts'
import { rowToItem, sealWords } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

export interface NewItem {
  readonly kind: MediaKind
  /** Whole, or as it arrives. */
  readonly content: Uint8Array | AsyncIterable<Uint8Array>
  /** By default the beginning of the prompt. */
  readonly title?: string | undefined
  readonly prompt: string
  readonly model: string | null
  readonly pluginId: string | null
  /** What it was made with. */
  readonly options?: MediaFacts | undefined
  /** Ids of items that it was made from; those that are not the account's are left out. */
  readonly sources?: readonly string[] | undefined
  readonly metadata?: MediaFacts | undefined
  /** What it was made by, where that is a record. */
  readonly jobId?: string | undefined
  /** The chat that it was made in. */
  readonly chatId?: string | undefined
  /** Refused where the account has no room for all of it. What was paid for is kept past its quota. */
  readonly withinQuota?: boolean | undefined
  /** Ends the writing. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Its type is what its bytes are, whatever they were called. Refuses with `media_type_not_allowed` what is not of its kind,
 * and with `too_large`, `storage_full` and, within the quota alone, `quota_full`; then, and where the content breaks off, nothing of it is kept.
 */
export const addItem = async (context: MediaContext, accountId: string, item: NewItem): Promise<MediaItem> => {
  const { clock, files, items, vault } = context
  const { kind, prompt, model, pluginId, options = {}, metadata = {}, jobId = null, chatId = null } = item
  const { head, pieces } = await begin(item.content)
  const mimeType = mediaTypeOf(head, kind)
  if (mimeType === null) throw fail('media_type_not_allowed', 'The gallery doesn’t support this file type.')
  const words = { title: item.title ?? titleOf(prompt), prompt, alt: '', options, metadata }
  const keys = await vault.keyring(accountId)
  const kept = await keepContent(context, accountId, {
    kind,
    mimeType,
    pieces,
    withinQuota: item.withinQuota ?? false,
    signal: item.signal,
  })
  try {
    const own = await items.readMany(accountId, item.sources ?? [])
    const sources = (item.sources ?? []).filter((source) => own.some(({ id }) => id === source))
    const id = clock.id()
    const now = clock.now()
    const row: MediaItemRow = Object.assign(sealWords(keys, id, words), kept, {
      id,
      account_id: accountId,
      kind,
      model,
      plugin_id: pluginId,
      mime_type: mimeType,
      favourite: 0,
      job_id: jobId,
      chat_id: chatId,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    await items.insert(row, words, sources)
    await announceItem(context, accountId, id)
    return rowToItem(keys, row, { sources, albumIds: [] })
  } catch (error) {
    // Best effort: the first error says more.
    const ids = [kept.file_id, ...(kept.thumbnail_file_id === null ? [] : [kept.thumbnail_file_id])]
    await files.remove(ids).catch(() => undefined)
    throw error
  }
}

/** The first bytes, to tell the type before anything is kept; and all of them. */
const begin = async (content: NewItem['content']): Promise<{ head: Uint8Array; pieces: AsyncIterable<Uint8Array> }> => {
  if (content instanceof Uint8Array) {
    if (content.byteLength > maxMediaBytes) throw fail('too_large', 'Gallery items can have at most 200 MB.')
    return { head: content.subarray(0, headBytes), pieces: piecesOf([content]) }
  }
  const source = content[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let length = 0; length < headBytes; ) {
    const step = await source.next()
    if (step.done) break
    first.push(step.value)
    length += step.value.byteLength
  }
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => source }
  return { head: Buffer.concat(first).subarray(0, headBytes), pieces: piecesOf(first, rest) }
}

async function* piecesOf(first: readonly Uint8Array[], rest?: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* first
  if (rest) yield* rest
}
