/** How many files, sockets and the like this process has open, and how many it may. On Linux only. */
import { readdir, readFile } from 'node:fs/promises'
import type { Usage } from './cgroup.ts'

export const readOpenFiles = async (): Promise<Usage> => {
  const [open, limits] = await Promise.all([
    readdir('/proc/self/fd').catch(() => null),
    readFile('/proc/self/limits', 'utf8').catch(() => ''),
  ])
  const limit = /^Max open files +(\d+) /m.exec(limits)?.[1]
  return { value: open && open.length, limit: limit === undefined ? null : Number(limit) }
}
