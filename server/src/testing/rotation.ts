/** The exchange of the instance key in a process of its own, for tests that kill it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { RotationStep } from '../app/recovery/rotate.ts'

/** Starts it and waits until it begins a step, or ends. */
export const startRotation = async (environment: Readonly<Record<string, string>>, until: RotationStep) => {
  const main = new URL('./rotate-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const step of createInterface({ input: child.stdout })) if (step === until) break
  return {
    /** SIGKILL, and waits for the end. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
