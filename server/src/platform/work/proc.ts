/** What Linux tells of processes, at once. */
import { readFileSync } from 'node:fs'

/** A file below `/proc`; empty where there is none, or no process any more. */
export const readProc = (file: string): string => {
  try {
    return readFileSync(`/proc/${file}`, 'latin1')
  } catch {
    return ''
  }
}
