/** `npm run rotate-key` in a process of its own, for tests that kill it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

/** Starts it, and waits until it has begun: the next key lies beside the present one. */
export const startRotation = async (environment: Readonly<Record<string, string>>) => {
  const main = new URL('../app/recovery/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, 'rotate-key'], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const next = join(environment['DATA_DIR'] ?? '', 'encryption.key.next')
  await vi.waitUntil(() => existsSync(next) || child.exitCode !== null, { timeout: 30_000, interval: 1 })
  return {
    ended,
    /** SIGKILL, and waits for the end. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
