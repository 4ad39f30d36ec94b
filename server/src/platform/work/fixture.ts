/** Functions for the tests of the pool. */
import { threadId } from 'node:worker_threads'

export const double = (value: number): number => value * 2
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
export const leave = (): never => process.exit(3)
