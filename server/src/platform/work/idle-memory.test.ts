import { expect, test } from 'vitest'
import { collectGarbage, createIdleJudge } from './idle-memory.ts'

const megabyte = 1024 * 1024
/** Looks every 30 s at a process that used so much of the processor since the look before, and holds so much memory. */
const looksAt = (looks: readonly (readonly [processorMs: number, megabytes: number])[]) => {
  const isTime = createIdleJudge()
  let processorMs = 0
  return looks.map(([used, megabytes], at) => {
    processorMs += used
    return isTime({ nowMs: at * 30_000, processorMs, memoryBytes: megabytes * megabyte })
  })
}

test('a process gives memory back once it was quiet for a whole interval, and not while it works', () => {
  const looks = [
    [900, 110],
    [9000, 240],
    [4000, 240],
    [40, 240],
  ] as const
  expect(looksAt(looks)).toEqual([false, false, false, true])
})

test('a quiet process is left alone until it has grown again', () => {
  const looks = [
    [900, 110],
    [10, 110],
    [400, 46],
    [10, 46],
    [10, 60],
    [10, 63],
    [10, 47],
  ] as const
  expect(looksAt(looks)).toEqual([false, true, false, false, false, true, false])
})

test('what nobody holds any more is freed', async () => {
  const held = Array.from({ length: 400_000 }, (_, at) => ({ at, text: `row ${at}` }))
  const before = process.memoryUsage().heapUsed
  held.length = 0
  await collectGarbage()
  expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(20 * megabyte)
})
