/** What must work for the process to be ready. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReadinessCheck } from '../features/system-diagnostics/index.ts'
import type { Database } from '../platform/db/index.ts'
import { createBoundedRead } from '../platform/machine/bounded-read.ts'
import { readFileSystem } from '../platform/machine/file-system.ts'

export const readinessChecks = (database: Pick<Database, 'ping'>, dataDir: string): ReadinessCheck[] => {
  // On a dead mount each try would hold one more thread of the process, until none is left.
  const tryFolder = createBoundedRead(async () => {
    await readFileSystem(dataDir)
    return await writeProbe(dataDir)
  }, waitMs)
  // The same with its connections, while a database stands still and proxies ask every few seconds.
  const tryDatabase = createBoundedRead(async () => {
    try {
      await database.ping()
      return { error: null }
    } catch (error) {
      // It answers, and says what is wrong: that is told as it is.
      return { error }
    }
  }, waitMs)
  return [
    {
      id: 'database',
      run: async () => {
        const answer = await tryDatabase()
        if (!answer) throw new Error('The database does not answer.')
        if (answer.error !== null) throw answer.error
      },
    },
    {
      id: 'data-folder',
      run: async () => {
        if (!(await tryFolder())) throw new Error('No file can be written to the data folder.')
      },
    },
  ]
}

const waitMs = 3000

const writeProbe = async (dataDir: string): Promise<true> => {
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  await writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 })
  await rm(probe)
  return true
}
