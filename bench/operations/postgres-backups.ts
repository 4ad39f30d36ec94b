/** Backups of a PostgreSQL database: what one takes of the processors when little or nothing has changed. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../server/src/testing/postgres.ts'
import { makeBed, pause, processor } from '../bed.ts'
import { backUp, call, fill, kb100, megabyte, type Work, write } from './backups.ts'

export interface PostgresBackupFigures {
  readonly first: Work
  readonly changed: WorkOfBoth
  readonly unchanged: WorkOfBoth
}
export interface WorkOfBoth extends Work {
  /** Of the database server and all that it started. */
  readonly serverCpuMs: number
}

export async function measurePostgresBackups(megabytes: number): Promise<PostgresBackupFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const copies = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const postgres = await startPostgres()
  try {
    await fill({ DATA_DIR: dataDir, DATABASE_URL: postgres.url }, megabytes)
    const environment = { BACKUP_SCHEDULE: 'off', DATABASE_URL: postgres.url }
    const bed = await makeBed({ accounts: 1, models: ['echo:latest'], dataDir, environment })
    const both = async (): Promise<WorkOfBoth> => {
      const before = processorOf(postgres)
      const work = await backUp(bed)
      return { ...work, serverCpuMs: processorOf(postgres) - before }
    }
    try {
      await call(bed, 'POST', '/api/recovery/destinations', { name: 'Disk', place: { kind: 'folder', path: copies } })
      const first = await backUp(bed)
      await write(bed, Math.ceil((megabytes * megabyte) / 100 / kb100))
      const changed = await both()
      // The search goes on to learn what was written; once it has, nothing changes.
      await pause(5000)
      await backUp(bed)
      return { first, changed, unchanged: await both() }
    } finally {
      await bed.close()
    }
  } finally {
    await postgres.stop()
    await rm(copies, { recursive: true, force: true })
  }
}

/** With those that have ended, whose time is counted by the first process. In ms. */
const processorOf = ({ dataFolder }: PostgresServer): number => {
  const [first = ''] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  const fields = readFileSync(`/proc/${first}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) * 10
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ')
  return [first, ...children].reduce((sum, pid) => sum + (pid ? processor(Number(pid)) : 0), ended)
}
