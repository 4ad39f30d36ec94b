/** Other processes for tests: real ones, that can be killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Child {
  /** What it prints next, a line at a time; null when it has ended. */
  line(): Promise<string | null>
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>
}

/** Runs a module of Node in another process. `source` may import by absolute file URLs. */
export const startChild = (source: string): Child => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  return {
    line: async () => {
      const next = await lines.next()
      return next.done ? null : next.value
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
