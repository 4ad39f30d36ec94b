/** The context that the parts of media jobs share. */
import type { MediaItem, MediaJob } from '@atrium/contract/media-gallery'
import type { Preferences } from '@atrium/contract/settings'
import type { Connections, CountFilm } from '../../../core/connections/index.ts'
import type { Usage } from '../../../core/usage/index.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { MediaContext } from '../context.ts'
import { toItems } from '../handlers.ts'
import { rowToJob } from './rows.ts'
import { partialPath } from './rules.ts'
import type { JobStore } from './store.ts'
import type { MediaJobRow } from './tables.ts'

export interface MediaJobDeps extends Pick<Platform, 'processId'> {
  readonly connections: Pick<Connections, 'capability' | 'capabilityModels' | 'video'>
  /** What a unit of a model costs, from memory. */
  readonly unitPriceOf: Usage['unitPriceOf']
  readonly secondPriceOf: Usage['secondPriceOf']
  /** What an account set for its images. */
  readonly usualImage: (accountId: string) => Promise<Preferences['mediaDefaults']['image']>
  /** Whether the server asks about films that nobody asks about. */
  readonly collects: boolean
}

export interface MediaJobContext extends MediaContext, MediaJobDeps {
  readonly store: JobStore
  /** What this process makes just now, by job. */
  readonly running: Map<string, RunningJob>
  /** The open counts of films that this process submitted. */
  readonly counts: Map<string, CountFilm>
}

export interface RunningJob {
  readonly accountId: string
  /** Ends the call. */
  stop(): void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** Tells the open pages of its account how a job stands. */
export const announceJob = (
  { announce }: MediaJobContext,
  row: Pick<MediaJobRow, 'account_id' | 'id' | 'status' | 'progress'>,
  /** The number of its newest picture as far as it is. */
  partial?: number,
) =>
  announce(row.account_id, {
    type: 'media-job-changed',
    data: {
      id: row.id,
      status: row.status,
      progress: row.progress === null ? null : Math.min(1, row.progress / 1000),
      ...(partial === undefined ? {} : { partial: partialPath(row.id, partial) }),
    },
  })

/** Jobs as their owner sees them. */
export const toJobs = async (
  context: MediaJobContext,
  accountId: string,
  rows: readonly MediaJobRow[],
): Promise<MediaJob[]> => {
  const { store, vault } = context
  const open = rows.filter(({ ended_at, kind }) => ended_at === null && kind === 'image')
  const [keys, made, partials] = await Promise.all([
    vault.keyring(accountId),
    store.madeBy(rows.map(({ id }) => id)),
    store.partialNumbers(open.map(({ id }) => id)),
  ])
  return rows.map((row) =>
    rowToJob(keys, row, { made: (made.get(row.id) ?? []).map(({ id }) => id), partial: partials.get(row.id) }),
  )
}

/** What a job made and is in the gallery. */
export const itemsOf = async (context: MediaJobContext, row: MediaJobRow): Promise<MediaItem[]> => {
  const made = await context.store.madeBy([row.id])
  return await toItems(context, row.account_id, made.get(row.id) ?? [])
}
