import { threadId } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { shareOfThisThread } from '../../testing/thread-share.ts'
import { double, explode, fill, leave, spin, twice, where } from './fixture.ts'
import { WorkFailure } from './failure.ts'
import { runInWorker, workerCount } from './work.ts'

const fixture = new URL('./fixture.ts', import.meta.url)

describe('work off the main thread', () => {
  test('runs an exported function on another thread and gives its result', async () => {
    expect(await runInWorker<number, number>(fixture, double.name, 21)).toBe(42)
    expect(await runInWorker<null, number>(fixture, where.name, null)).not.toBe(threadId)
    expect(await runInWorker<number, Uint8Array>(fixture, fill.name, 3_000_000)).toHaveLength(3_000_000)
  })

  test('many tasks share few threads, and the event loop stays free', async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => 20 + i)
    let results: number[] = []
    const share = await shareOfThisThread(async () => {
      results = await Promise.all(numbers.map((ms) => runInWorker<number, number>(fixture, spin.name, ms)))
    })
    expect(results).toEqual(numbers)
    expect(workerCount()).toBeLessThanOrEqual(4)
    expect(share).toBeLessThan(0.5)
  })

  test('an error inside keeps its message, and the thread goes on', async () => {
    await expect(runInWorker(fixture, explode.name, null)).rejects.toMatchObject({
      kind: 'failed',
      message: 'it burst',
    })
    await expect(runInWorker(fixture, 'nothing', null)).rejects.toBeInstanceOf(WorkFailure)
    expect(await runInWorker<number, number>(fixture, double.name, 1)).toBe(2)
  })

  test('a task past its time is ended, and the next one runs', async () => {
    await expect(runInWorker(fixture, spin.name, 60_000, { timeoutMs: 100 })).rejects.toMatchObject({ kind: 'timeout' })
    expect(await runInWorker<number, number>(fixture, double.name, 2)).toBe(4)
  })

  test('a task can be called off, before and while it runs', async () => {
    await expect(runInWorker(fixture, spin.name, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
    })
    const started = performance.now()
    await expect(runInWorker(fixture, spin.name, 60_000, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      kind: 'aborted',
    })
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  test('much input and a big result arrive whole', async () => {
    const text = '\u0100b'.repeat(600_000)
    expect(await runInWorker<string, string[]>(fixture, twice.name, text)).toEqual([text, text])
  })

  test('a thread that dies fails its task only', async () => {
    await expect(runInWorker(fixture, leave.name, null)).rejects.toMatchObject({ kind: 'crashed' })
    expect(await runInWorker<number, number>(fixture, double.name, 3)).toBe(6)
  })

  test('input that cannot travel is refused', async () => {
    await expect(runInWorker(fixture, double.name, () => 1)).rejects.toMatchObject({ kind: 'failed' })
  })
})
