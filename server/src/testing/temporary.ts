/**
 * One folder for all that a run of tests writes, removed at its end. It is in memory where the system has room there:
 * a PostgreSQL database is some eight hundred files, and file systems on disks take longer to make them than tests run.
 */
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenKilled } from './when-killed.ts'

/** Global setup of Vitest and Playwright: points TMPDIR there for all workers; gives the function that removes it. */
export default async (): Promise<() => Promise<void>> => {
  const before = process.env['TMPDIR']
  const folder = await mkdtemp(join((await hasSpace(memory)) ? memory : tmpdir(), 'atrium-tests-'))
  // The PostgreSQL server runs as another user when we are root, and must be able to enter.
  await chmod(folder, 0o755)
  process.env['TMPDIR'] = folder
  const release = whenKilled('sleep 2; rm -rf "$0"', folder)
  return async () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(folder, { recursive: true, force: true })
    await release()
  }
}

const memory = '/dev/shm'
const wanted = 4 * 1024 ** 3

const hasSpace = async (folder: string): Promise<boolean> => {
  const system = await statfs(folder).catch(() => null)
  return system !== null && system.bavail * system.bsize >= wanted
}
