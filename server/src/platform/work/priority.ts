/**
 * Puts another process behind whoever waits for an answer. Linux has a priority for each thread, and where it groups
 * processes by their sessions (`sched_autogroup`), threads compete within a session alone, and sessions with each other: a
 * process that leads a session of its own has to be lowered twice.
 */
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { readProc } from './proc.ts'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
/** Among threads, `lowest` comes last of all. */
const niceOf = { low: PRIORITY_BELOW_NORMAL, lowest: PRIORITY_LOW } as const
/** A third of what others get: a session that came last as well would hardly ever run beside a busy server. */
const sessionNice = 5

/** The system takes one such change in a tenth of a second, of all processes together. */
const againMs = 120
const mostTries = 25

/** All threads of a process, and the sessions that it and those below it lead. Where the system does not allow it, nothing. */
export const lowerPriority = (pid: number | undefined, level: keyof typeof niceOf): void => {
  if (pid === undefined) return
  for (const thread of threadsOf(pid))
    try {
      setPriority(thread, niceOf[level])
    } catch {
      // It has ended, or runs at the same priority.
    }
  // Another session would be ours.
  for (const leader of withDescendants(pid).filter(leadsSession)) void lowerSession(leader)
}

const lowerSession = async (pid: number): Promise<void> => {
  for (let tries = 0; tries < mostTries; tries += 1)
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(sessionNice), { flag: 'r+' })
    } catch (error) {
      // Without such groups, or when it has ended, there is nothing to lower.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await new Promise((resolve) => setTimeout(resolve, againMs).unref())
    }
}

/** Elsewhere than on Linux a process has one priority. */
const threadsOf = (pid: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

const withDescendants = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withDescendants)]
const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) => readProc(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number))

const leadsSession = (pid: number): boolean => {
  const stat = readProc(`${pid}/stat`)
  // The name of the program stands in brackets, and may hold anything; its session is the fourth field behind them.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === pid
}
