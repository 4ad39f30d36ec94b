/**
 * Takes away backups that retention does not keep, and packs that no backup needs any more. A pack goes in two steps, a
 * day apart: a backup that is being made may still need it.
 */
import { z } from 'zod'
import { listPacks } from './create.ts'
import { type Destination, DestinationFailure } from './destinations/destination.ts'
import { BackupFailure } from './failure.ts'
import { type BackupKeys, deriveBackupKeys } from './keys.ts'
import { listManifestIds, type Manifest, manifestName, packName, readManifests } from './manifest.ts'
import type { BackupPlace } from './packs.ts'
import { applyRetention, type RetainedBackup, type RetentionPolicy } from './retention.ts'
import { openObject, sealObject } from './seal.ts'

export interface PruneOptions {
  readonly now: number
  /** The id of the backup that was proved last, which never goes. */
  readonly proved?: string | undefined
  /** Say what would go, and take nothing away. */
  readonly dryRun: boolean
  /** How long a pack that nothing needs stays (default a day). */
  readonly graceMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface PruneResult {
  /** Newest first; what goes has no reason to stay. */
  readonly backups: readonly RetainedBackup[]
  /** Bytes of packs that were taken away. */
  readonly freedBytes: number
  /** Backups and packs that the place does not let go yet (object lock). */
  readonly locked: number
}

const dayMs = 24 * 3_600_000

/** Throws DestinationFailure, but for what is locked. */
export const pruneBackups = async (
  destination: Destination,
  keys: BackupKeys,
  policy: RetentionPolicy,
  { now, proved, dryRun, graceMs = dayMs, signal }: PruneOptions,
): Promise<PruneResult> => {
  const place: BackupPlace = { destination, set: keys.set, ...deriveBackupKeys(keys), signal }
  const found = await readAll(place)
  const known = found.map(({ id, manifest }) => ({ id, createdAt: manifest?.createdAt ?? null }))
  const backups = applyRetention(known, policy, { now, proved })
  if (dryRun) return { backups, freedBytes: 0, locked: 0 }
  let locked = 0
  const gone = new Set(backups.filter(({ reasons }) => reasons.length === 0).map(({ id }) => id))
  for (const id of gone) if (!(await removeUnlessLocked(place, manifestName(keys.set, id)))) locked += 1
  // Read again: others make backups meanwhile.
  const left = await readAll(place)
  if (left.some(({ manifest }) => manifest === null)) return { backups, freedBytes: 0, locked }
  const swept = await sweepPacks(
    place,
    left.flatMap(({ manifest }) => manifest ?? []),
    now,
    graceMs,
  )
  return { backups, freedBytes: swept.freedBytes, locked: locked + swept.locked }
}

const Unneeded = z.record(z.string(), z.number())

const sweepPacks = async (
  place: BackupPlace,
  manifests: readonly Manifest[],
  now: number,
  graceMs: number,
): Promise<{ freedBytes: number; locked: number }> => {
  const { set, destination, objects, signal } = place
  const needed = new Set(manifests.flatMap(({ packs }) => packs.map(({ id }) => id)))
  const name = `${set}/unneeded`
  const noted = await readUnneeded(place, name)
  const unneeded: Record<string, number> = {}
  let freedBytes = 0
  let locked = 0
  for (const [id, bytes] of await listPacks(place)) {
    if (needed.has(id)) continue
    const since = Math.min(noted[id] ?? now, now)
    if (noted[id] === undefined || now - since < graceMs) {
      unneeded[id] = since
    } else if (await removeUnlessLocked(place, packName(set, id))) {
      freedBytes += bytes
    } else {
      unneeded[id] = since
      locked += 1
    }
  }
  const isSame = JSON.stringify(noted) === JSON.stringify(unneeded)
  if (!isSame) await destination.write(name, sealObject(objects, name, Buffer.from(JSON.stringify(unneeded))), signal)
  return { freedBytes, locked }
}

/** A note that cannot be read is begun anew: packs stay a day longer. */
const readUnneeded = async (
  { destination, objects, signal }: BackupPlace,
  name: string,
): Promise<Record<string, number>> => {
  const bytes = await destination.read(name, signal)
  if (!bytes) return {}
  try {
    return Unneeded.parse(JSON.parse(openObject(objects, name, bytes).toString()))
  } catch (error) {
    if (error instanceof BackupFailure) return {}
    throw error
  }
}

const readAll = async ({
  destination,
  set,
  objects,
  signal,
}: BackupPlace): Promise<{ id: string; manifest: Manifest | null }[]> => {
  const ids = await listManifestIds(destination, set, signal)
  const all: { id: string; manifest: Manifest | null }[] = []
  for await (const { id, manifest } of readManifests(destination, objects, set, ids, signal))
    all.push({ id, manifest: manifest instanceof BackupFailure ? null : manifest })
  return all
}

const removeUnlessLocked = async ({ destination, signal }: BackupPlace, name: string): Promise<boolean> => {
  try {
    await destination.remove(name, signal)
    return true
  } catch (error) {
    if (error instanceof DestinationFailure && error.kind === 'locked') return false
    throw error
  }
}
