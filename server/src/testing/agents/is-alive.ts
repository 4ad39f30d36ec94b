/** Whether a process runs. One that has ended and waits for its parent to hear of it does not. */
import { readFileSync } from 'node:fs'

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    // Process not found.
    return false
  }
  try {
    // The state comes after the name, which stands in brackets.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // No such file system here, or it has just ended: the next look tells.
    return true
  }
}
