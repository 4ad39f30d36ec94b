/** What Linux tells of processes, for tests of those that a server starts. */
import { readFileSync, readdirSync } from 'node:fs'

/** The ids of those that a process has started, and that it has not seen end. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)[1]) === parent)

/** How much others go before its main thread: 19 at most. */
export const niceOf = (pid: number): number => Number(statOf(pid)[16])

/** How much other sessions go before its own; null where the system does not group processes by them. */
export const sessionNiceOf = (pid: number): number | null => {
  try {
    return Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'latin1'))?.[1] ?? Number.NaN)
  } catch {
    return null
  }
}

/** Whether it has a processor, or waits for one. */
export const isWorking = (pid: number): boolean => statOf(pid)[0] === 'R'

/** From its state on; the name before that may hold anything. Empty: it is gone. */
const statOf = (pid: number): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
