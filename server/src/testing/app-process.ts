/** The app in a process of its own, as `npm start` runs it, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface AppProcess {
  readonly url: string
  readonly pid: number
  /** What it wrote to standard error, most of it the log. */
  readonly errors: readonly string[]
  /** SIGTERM, and waits for the end. Throws when it does not end with 0. */
  stop(): Promise<void>
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>
}

/**
 * Starts it, with options of Node, and waits until it says its address: from its sources, or `ATRIUM_TEST_MAIN`, which
 * `npm test` sets to the bundle that it makes. Of our own environment only where programs and their compiled forms lie is
 * handed on.
 */
export const startAppProcess = async (
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<AppProcess> => {
  const main = process.env['ATRIUM_TEST_MAIN'] ?? new URL('../app/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const url = await Promise.race([addressOf(child), exited.then(() => null)])
  if (url === null) throw new Error(`The app did not start:\n${errors.join('\n')}`)
  return {
    url,
    pid: child.pid ?? 0,
    errors,
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      if (code !== 0) throw new Error(`The app ended with ${code}:\n${errors.join('\n')}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const addressOf = async (child: ChildProcess): Promise<string | null> => {
  if (!child.stdout) return null
  for await (const line of createInterface({ input: child.stdout })) {
    const url = / is ready at (\S+)/.exec(line)?.[1]
    if (url) {
      child.stdout.resume()
      return url
    }
  }
  return null
}
