/** What must work for the process to be ready. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReadinessCheck } from '../features/system-diagnostics/index.ts'
import type { Database } from '../platform/db/index.ts'

export const readinessChecks = (database: Database, dataDir: string): ReadinessCheck[] => [
  { id: 'database', run: () => database.ping() },
  {
    id: 'data-folder',
    run: async () => {
      const probe = join(dataDir, `.probe-${randomUUID()}`)
      await writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 })
      await rm(probe)
    },
  },
]
