/** A process and all that came of it, whoever their parents are by now: what they hold together, and their end. */
import { readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { kill } from 'node:process'
import { readProc } from './proc.ts'
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
  const origins = await Promise.all(names.filter(isPid).map(readOrigin))
  const pids = descendantsOf(
    pid,
    origins.filter((origin) => origin !== null),
  )
  const usages = await Promise.all(pids.map(readProcessUsage))
  return usages.reduce((sum, usage) => sum + (usage?.memoryMb ?? 0), 0)
}

/** Kills a process that leads a group, its group, its session and all their descendants, at once. */
export const killWithDescendants = (pid: number): void => {
  // First, as those whose parent is gone are no descendants any more.
  const others = process.platform === 'linux' ? descendantsOf(pid, readOriginsNow()) : []
  for (const each of [-pid, ...others]) {
    try {
      kill(each, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

const readOriginsNow = (): ProcessOrigin[] =>
  readdirSync('/proc')
    .filter(isPid)
    .map((name) => toOrigin(name, readProc(`${name}/stat`)))
    .filter((origin) => origin !== null)

const isPid = (name: string): boolean => /^\d+$/.test(name)

const readOrigin = async (name: string): Promise<ProcessOrigin | null> =>
  toOrigin(name, await readFile(`/proc/${name}/stat`, 'latin1').catch(() => ''))

const toOrigin = (name: string, stat: string): ProcessOrigin | null => {
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
