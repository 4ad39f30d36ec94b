/** Backups to be sent over a first-run page, and how tests send them. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { expect, onTestFinished } from 'vitest'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import type { Client } from './client.ts'
import { runRecoveryCommand } from './recovery-command.ts'

export interface SentBackup {
  /** Name and bytes of every file. */
  readonly files: readonly (readonly [string, Buffer])[]
  readonly recoveryKey: string
  readonly instanceKey: string
}

/** Two of an instance: the first has the account `admin` alone, the second `late`, too. With `restoredTo`, that one is restored there. */
export const makeSentBackup = async (restoredTo?: string): Promise<SentBackup> => {
  const original = await startTestApp()
  await original.signUpAdmin()
  const folder = await mkdtemp(join(tmpdir(), 'first-restore-'))
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, complaint } = await runRecoveryCommand({ DATA_DIR: original.dataDir }, ...args)
    if (code !== 0) throw new Error(complaint)
    return out
  }
  const made = JSON.parse(await run('backup', 'create', '--to', folder, '--json')) as Record<string, unknown>
  await original.signUpUser('late')
  await run('backup', 'create', '--to', folder)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = await Promise.all(
    paths
      .filter((path) => !path.includes('.incomplete'))
      .map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const),
  )
  const instanceKey = await readFile(join(original.dataDir, 'encryption.key'), 'utf8')
  const kit = join(folder, 'kit')
  await writeFile(kit, String(made['recoveryKey']))
  if (restoredTo) await run('restore', '--from', folder, '--to', restoredTo, '--key', kit)
  await rm(folder, { recursive: true })
  await original.close()
  return { files, recoveryKey: String(made['recoveryKey']), instanceKey: instanceKey.trim() }
}

/** A server without accounts, which ends with its test. */
export const startEmpty = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const app = await startTestApp({ fromNothing: true, overrides: { restored: () => undefined }, ...options })
  onTestFinished(() => app.close())
  return app
}

export const sendAll = async (client: Client, files: SentBackup['files']): Promise<void> => {
  for (const [name, bytes] of files)
    await client.call(routes.sendBackupObject, { query: { name }, file: new Blob([new Uint8Array(bytes)]) })
}
export const beginRestore = (client: Client, key: string, backupId?: string) =>
  client.call(routes.beginFirstRestore, { body: { key, backupId } })
export const sentBackups = (client: Client, key: string) => client.call(routes.listSentBackups, { body: { key } })
export const restoreState = (client: Client) => client.call(routes.firstRestore, {})

/** What came of it. */
export const restoreEnd = async (client: Client) => {
  await expect.poll(async () => (await restoreState(client)).state, { timeout: 120_000 }).not.toBe('running')
  return await restoreState(client)
}

export const hasUsers = async (client: Client): Promise<boolean> => {
  try {
    return (await client.call(accountsRoutes.systemInfo, {})).hasUsers
  } catch {
    // It begins anew just now.
    return false
  }
}

/** What of it lies in the data folder. */
export const leftIn = async ({ dataDir }: TestApp): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith('first-restore'))
