/** The backups that lie at the destinations, and taking one away. */
import type { Backups } from '@atrium/contract/recovery-backup'
import { deleteBackup, isKnownFailure, listBackups } from '../../platform/backups/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Destinations } from './destinations.ts'
import { inTime } from './in-time.ts'
import type { Keys } from './keys.ts'

export interface BackupListDeps {
  readonly destinations: Pick<Destinations, 'openAll'>
  readonly keys: Pick<Keys, 'keys'>
  /** How long a destination may take to tell what it has (default 20 seconds): less than a proxy waits for an answer. */
  readonly listMs?: number | undefined
}

export const createBackupList = ({ destinations, keys, listMs = 20_000 }: BackupListDeps) => {
  type Place = Awaited<ReturnType<Destinations['openAll']>>[number]

  const listAt = async ({ id: destinationId, destination }: Place, signal: AbortSignal): Promise<Backups> => {
    const own = await keys.keys()
    const items: Backups['items'] = []
    const problems: Backups['problems'] = []
    try {
      const known = own ? await inTime(listMs, signal, (either) => listBackups(destination, own, either)) : []
      for (const found of known)
        if ('problem' in found) problems.push({ destinationId, id: found.id, detail: found.problem })
        else {
          const { id, createdAt, appVersion, rows, files, storedBytes, sentBytes } = found
          const time = new Date(createdAt).toISOString()
          items.push({ id, destinationId, createdAt: time, appVersion, rows, files, storedBytes, sentBytes })
        }
    } catch (error) {
      if (!isKnownFailure(error)) throw error
      problems.push({ destinationId, id: null, detail: error.message })
    }
    return { items, problems }
  }

  return {
    /** Newest first. A destination that does not answer in time is a problem like any other. */
    async list(signal: AbortSignal): Promise<Backups> {
      const lists = await Promise.all((await destinations.openAll()).map((place) => listAt(place, signal)))
      return {
        items: lists.flatMap(({ items }) => items).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
        problems: lists.flatMap(({ problems }) => problems),
      }
    },
    async remove(destinationId: string, id: string, signal: AbortSignal): Promise<void> {
      const place = (await destinations.openAll()).find((one) => one.id === destinationId)
      if (!place) throw fail('backup_destination_not_found')
      const own = await keys.keys()
      try {
        const known = own ? await listBackups(place.destination, own, signal) : []
        if (!own || !known.some((one) => one.id === id)) throw fail('backup_not_found')
        await deleteBackup(place.destination, own, id)
      } catch (error) {
        if (!isKnownFailure(error)) throw error
        throw fail('backup_failed', error.message)
      }
    },
  }
}
