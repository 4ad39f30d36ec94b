/** Functions for the tests of the pool. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { env } from 'node:process'
import { threadId } from 'node:worker_threads'

export const double = (value: number): number => value * 2
export const twice = (text: string): string[] => [text, text]
export const where = (): number => threadId
export const fill = (size: number): Uint8Array => new Uint8Array(size).fill(7)
export const explode = (): never => {
  throw new RangeError('it burst')
}
export const spin = (ms: number): number => {
  const end = performance.now() + ms
  while (performance.now() < end);
  return ms
}
export const rest = async (ms: number): Promise<string> => {
  await new Promise((resolve) => setTimeout(resolve, ms))
  return 'rested'
}
export const leave = (): never => process.exit(3)
export const whichProcess = (): number => process.pid
export const environmentNames = (): string[] => Object.keys(env)
export const priority = (): number => getPriority()
export const ignoreSignals = async (): Promise<string> => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(process.pid, signal)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return 'still here'
}
/** Holds more and more memory outside the heap, for ever. */
export const hoard = (): never => {
  const held: Uint8Array[] = []
  for (;;) held.push(new Uint8Array(8 * 2 ** 20).fill(held.length))
}
/** Holds more and more memory on the heap, for ever. */
export const hoardOnHeap = (): never => {
  const held: number[][] = []
  for (;;) held.push(Array.from({ length: 100_000 }, (_, i) => i + held.length))
}
export const throwLater = (): Promise<never> =>
  new Promise(() => {
    setTimeout(() => {
      throw new Error('too late for anyone to catch')
    })
  })
export const writeFile = (path: string): void => writeFileSync(path, 'x')
export const readFile = (path: string): string => readFileSync(path, 'utf8')
export const startProgram = (): void => {
  spawnSync('true')
}
export const giveFunction = (): unknown => () => 1
