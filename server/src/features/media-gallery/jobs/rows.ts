/** Rows of media jobs become what the contract says, and back. */
import { MediaFacts, type MediaJob } from '@atrium/contract/media-gallery'
import { z } from 'zod'
import { openWords, storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { partialPath } from './rules.ts'
import type { MediaJobRow } from './tables.ts'

const Handle = z.object({ id: z.string(), addresses: z.record(z.string(), z.string()).optional() })
export type JobHandle = z.infer<typeof Handle>

const optionsJson = storedJson('media_jobs.options', MediaFacts)
const handleJson = storedJson('media_jobs.handle', Handle)

export const sealJob = (keys: Keyring, id: string, prompt: string, options: MediaFacts) => ({
  prompt: keys.seal('media_jobs.prompt', id, prompt),
  options: optionsJson.seal(keys, id, options),
})

export const sealHandle = (keys: Keyring, id: string, handle: JobHandle) => handleJson.seal(keys, id, handle)

/** null where it was never accepted, or what was kept cannot be read. */
export const openHandle = (keys: Keyring, { id, handle }: MediaJobRow): JobHandle | null =>
  handle === null ? null : unlessUnreadable(() => handleJson.open(keys, id, handle), null)

export const openJobPrompt = (keys: Keyring, row: MediaJobRow): string =>
  openWords(keys, 'media_jobs.prompt', row.id, row.prompt)

export const openOptions = (keys: Keyring, row: MediaJobRow): MediaFacts =>
  unlessUnreadable(() => optionsJson.open(keys, row.id, row.options), {})

/** `made`: ids of what it made and is in the gallery. `partial`: the number of its newest picture as far as it is. */
export const rowToJob = (
  keys: Keyring,
  row: MediaJobRow,
  { made, partial }: { readonly made: readonly string[]; readonly partial: number | undefined },
): MediaJob => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  model: row.model,
  pluginId: row.plugin_id,
  prompt: openJobPrompt(keys, row),
  options: openOptions(keys, row),
  progress: row.progress === null ? null : Math.min(1, row.progress / 1000),
  ...(partial === undefined || row.ended_at !== null ? {} : { partial: partialPath(row.id, partial) }),
  error: row.failure,
  missing:
    row.missing_reason !== null && row.missing_count > 0
      ? { count: row.missing_count, reason: row.missing_reason }
      : null,
  galleryIds: [...made],
  galleryId: made[0] ?? null,
  cancellable: row.ended_at === null && (row.kind !== 'video' || row.cancellable === 1),
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
})
