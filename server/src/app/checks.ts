/** What must work for the process to be ready. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeepCheck, ReadinessCheck } from '../features/system-diagnostics/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Jobs } from '../platform/jobs/types.ts'
import { createBoundedRead } from '../platform/machine/bounded-read.ts'
import type { Processes } from '../platform/processes/index.ts'

export const readinessChecks = (database: Database, dataDir: string): ReadinessCheck[] => {
  // On a dead mount each try would hold one more thread of the process, until none is left.
  const tryFolder = createBoundedRead(() => writeProbe(dataDir), folderMs)
  return [
    { id: 'database', run: () => database.ping() },
    {
      id: 'data-folder',
      run: async () => {
        if (!(await tryFolder())) throw new Error('The data folder takes no file.')
      },
    },
  ]
}

const folderMs = 3000

const writeProbe = async (dataDir: string): Promise<true> => {
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  await writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 })
  await rm(probe)
  return true
}

/** A job that is due for so long waits for something. */
const lateMs = 60_000

/** What administrators can have checked beside that. */
export const deepChecks = (parts: {
  readonly database: Database
  readonly processes: Processes
  readonly jobs: Pick<Jobs, 'administration'>
  readonly clock: Clock
}): DeepCheck[] => [
  { id: 'messages', run: () => sendMessage(parts.database) },
  {
    id: 'jobs',
    async run() {
      const since = parts.clock.now() - lateMs
      const counts = await parts.jobs.administration.count()
      const late = counts.filter(({ oldestDueAt }) => oldestDueAt !== null && oldestDueAt < since)
      return late.length === 0 ? null : `Jobs wait for more than a minute: ${late.map(({ kind }) => kind).join(', ')}.`
    },
  },
  {
    id: 'versions',
    async run() {
      const versions = new Set(parts.processes.list().map(({ version }) => version))
      return versions.size === 1 ? null : `Processes of different versions run: ${[...versions].join(', ')}.`
    },
  },
]

/** Sends a message to all processes, and waits until it comes back. */
const sendMessage = async (database: Database): Promise<null> => {
  const channel = 'health'
  const sent = randomUUID()
  const back = Promise.withResolvers<null>()
  const unlisten = database.listen(channel, (message) => {
    if (message === sent) back.resolve(null)
  })
  try {
    await database.notify(channel, sent)
    return await back.promise
  } finally {
    unlisten()
  }
}
