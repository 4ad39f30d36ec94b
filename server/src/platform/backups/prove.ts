/**
 * Restores a backup into a scratch database and goes through all of it: what a restore would do, without anything that
 * could act outwards. It happens in a process of its own, which has the keys, the scratch database and whoever reads the
 * backup for it, and no other file, network, job or listener.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabasePlace, openScratchDatabase } from '../db/copy/index.ts'
import { columnTypes } from '../db/dialect.ts'
import type { Migration } from '../db/types.ts'
import type { SealedColumn } from '../vault/sealed-columns.ts'
import type { Destination } from './destinations/destination.ts'
import { type BackupKeys, deriveBackupKeys } from './keys.ts'
import { readManifest } from './manifest.ts'
import { runInProcess } from './process.ts'
import type { ProofResult } from './prove-in-scratch.ts'
import { chooseBackup } from './read.ts'

export interface ProofOptions {
  readonly destination: Destination
  readonly keys: BackupKeys
  readonly instanceKey: Buffer
  /** Without it the newest. */
  readonly id?: string | undefined
  readonly migrations: readonly Migration[]
  readonly sealed: readonly SealedColumn[]
  /** A folder of its own is made in it, and removed. */
  readonly scratchFolder: string
  /** Where the instance is: a backup of a server is proved beside it, where a database may be made there. */
  readonly instance?: DatabasePlace | undefined
  /** Told what the backup takes before the folder gets it; throws where there is no room. */
  readonly requireRoom?: (storedBytes: number) => Promise<void>
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((rows: number) => void) | undefined
}

/** Proves a backup in a process of its own. Throws BackupFailure with the reason. */
export const proveBackup = async (options: ProofOptions): Promise<ProofResult> => {
  const { destination, keys, instanceKey, migrations, sealed, scratchFolder, instance, signal, onProgress } = options
  const id = options.id ?? (await chooseBackup(destination, keys))
  const { objects } = deriveBackupKeys(keys)
  const { dialect: from, totals } = await readManifest(destination, objects, keys.set, id, signal)
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(scratchFolder, 'proof-'))
  try {
    const server =
      from === 'postgres' && instance && 'url' in instance ? await openScratchDatabase(instance.url, Date.now()) : null
    try {
      if (!server) await options.requireRoom?.(totals.storedBytes)
      const dialect = server ? 'postgres' : 'sqlite'
      const steps = migrations.map((step) => ({ id: step.id, statements: step.up(columnTypes[dialect], dialect) }))
      const input = { id, keys, instanceKey, steps, sealed: [...sealed], folder, url: server?.url ?? null }
      const open = server?.address ?? null
      return await runInProcess('prove', input, destination, { folder, open, signal, onProgress })
    } finally {
      await server?.drop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
