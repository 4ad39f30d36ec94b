/** What a process and all that came of it hold together, whoever their parents are by now. */
import { readdir, readFile } from 'node:fs/promises'
import { readProcessUsage } from './process-usage.ts'

interface ProcessOrigin {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
}

/** Resident memory in MB of a process, its group, its session and all their descendants; 0 where the system does not tell. */
export const readGroupMemory = async (pid: number | undefined): Promise<number> => {
  if (pid === undefined || process.platform !== 'linux') return 0
  const names = await readdir('/proc').catch((): string[] => [])
  const origins = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readOrigin))
  const pids = descendantsOf(
    pid,
    origins.filter((origin) => origin !== null),
  )
  const usages = await Promise.all(pids.map(readProcessUsage))
  return usages.reduce((sum, usage) => sum + (usage?.memoryMb ?? 0), 0)
}

const readOrigin = async (name: string): Promise<ProcessOrigin | null> => {
  const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
  // The name of the program stands in brackets, and may hold anything.
  const [, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (session === undefined) return null
  return { pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }
}

/** Pure. */
export const descendantsOf = (pid: number, origins: readonly ProcessOrigin[]): number[] => {
  const found = new Set(
    origins
      .filter(({ pid: own, group, session }) => own === pid || group === pid || session === pid)
      .map((origin) => origin.pid),
  )
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { pid: own, parent } of origins) if (found.has(parent)) found.add(own)
  }
  return [...found]
}
