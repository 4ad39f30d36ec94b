/** What another process holds and has used, as the system tells it: a busy process cannot say so itself. */
import { readFile } from 'node:fs/promises'

export interface ProcessUsage {
  readonly memoryMb: number
  /** Time on processors, of all its threads, since it began. */
  readonly processorMs: number
}

/** Nothing of a process that has ended; null where the system does not tell. */
export const readProcessUsage = async (pid: number | undefined): Promise<ProcessUsage | null> => {
  if (process.platform !== 'linux') return null
  const told = async (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')
  const [status, stat] = await Promise.all([told('status'), told('stat')])
  // The name of the program stands in brackets, and may hold anything; the times are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    memoryMb: Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024,
    processorMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs,
  }
}

/** How long its main thread has waited for a processor since it began, in milliseconds; 0 where the system does not tell. */
export const readWaitedMs = async (pid: number | undefined): Promise<number> => {
  const [, waitedNs = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'latin1').catch(() => '')).split(' ')
  return Number(waitedNs) / 1e6
}

/** Linux tells times to programs in hundredths of a second, on every machine. */
const tickMs = 10
