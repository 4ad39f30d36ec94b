import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  double,
  environmentNames,
  explode,
  fill,
  giveFunction,
  hoard,
  hoardOnHeap,
  ignoreSignals,
  leave,
  priority,
  readFile,
  rest,
  spin,
  startProgram,
  throwLater,
  twice,
  whichProcess,
  writeFile,
} from './fixture.ts'
import { WorkFailure } from './failure.ts'
import { processCount, runInProcess, type ProcessOptions } from './process.ts'

const fixture = new URL('./fixture.ts', import.meta.url)
const call = <O>(work: { name: string }, input: unknown = null, options?: ProcessOptions): Promise<O> =>
  runInProcess<unknown, O>(fixture, work.name, input, options)

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const gone = async (pid: number): Promise<void> => {
  while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('work in another process', () => {
  test('runs an exported function elsewhere and gives its result, whole', async () => {
    expect(await call(double, 21)).toBe(42)
    expect(await call(whichProcess)).not.toBe(process.pid)
    const bytes = await call<Uint8Array>(fill, 3_000_000)
    expect(bytes).toHaveLength(3_000_000)
    expect(bytes.every((byte) => byte === 7)).toBe(true)
  })

  test('well-behaved tasks share few processes', async () => {
    const pids = await Promise.all(Array.from({ length: 20 }, () => call<number>(whichProcess)))
    // One that grew too large while it was busy is replaced.
    expect(new Set(pids).size).toBeLessThanOrEqual(4)
    expect(processCount()).toBeLessThanOrEqual(2)
  })

  test('an idle process with another limit makes room for the one that is needed', async () => {
    const others = await Promise.all([1, 2].map(() => call<string>(rest, 50, { memoryMb: 300 })))
    expect(others).toEqual(['rested', 'rested'])
    const pids = await Promise.all([1, 2, 3].map(() => call<number>(whichProcess)))
    expect(new Set(pids).size).toBeLessThanOrEqual(2)
    expect(processCount()).toBeLessThanOrEqual(2)
  })

  test('much input and a big result arrive whole', async () => {
    const text = '\u0100b'.repeat(600_000)
    expect(await call<string[]>(twice, text)).toEqual([text, text])
  })

  test('a process sees neither secrets nor our environment, and comes after those who wait for answers', async () => {
    process.env['ATRIUM_TEST_SECRET'] = 'secret'
    try {
      expect(await call<string[]>(environmentNames)).not.toContain('ATRIUM_TEST_SECRET')
    } finally {
      delete process.env['ATRIUM_TEST_SECRET']
    }
    expect(await call<number>(priority)).toBe(10)
  })

  test('a process may neither write a file, nor read one of ours, nor start a program', async () => {
    const path = join(tmpdir(), `atrium-never-${process.pid}`)
    await expect(call(writeFile, path)).rejects.toMatchObject({ kind: 'failed' })
    expect(existsSync(path)).toBe(false)
    for (const ours of ['/etc/hostname', new URL('../../../../package.json', import.meta.url).pathname])
      await expect(call(readFile, ours)).rejects.toMatchObject({ kind: 'failed' })
    await expect(call(startProgram)).rejects.toMatchObject({ kind: 'failed' })
  })

  test('an error inside keeps its message, and the process goes on', async () => {
    const before = await call<number>(whichProcess)
    await expect(call(explode)).rejects.toMatchObject({ kind: 'failed', message: 'it burst' })
    await expect(runInProcess(fixture, 'nothing', null)).rejects.toBeInstanceOf(WorkFailure)
    expect(alive(before)).toBe(true)
    expect(await call(double, 1)).toBe(2)
  })

  test('input and results that cannot travel are refused', async () => {
    await expect(call(double, () => 1)).rejects.toMatchObject({ kind: 'failed' })
    await expect(call(giveFunction)).rejects.toMatchObject({ kind: 'failed' })
    expect(await call(double, 2)).toBe(4)
  })

  test('a task past its time is killed, and the next one runs', async () => {
    await expect(call(spin, 600_000, { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
    expect(await call(double, 3)).toBe(6)
  })

  test('a task that works longer than it may is killed, however long it may wait', async () => {
    await expect(call(spin, 600_000, { processorMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
    // More than a slow machine works on the start of a process, and less than the task waits.
    expect(await call(rest, 2500, { processorMs: 1500 })).toBe('rested')
  })

  test('a task can be called off before it runs, while it waits and while it runs', async () => {
    await expect(call(spin, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' })
    const controllers = Array.from({ length: 4 }, () => new AbortController())
    const tasks = controllers.map(({ signal }) => call(spin, 600_000, { signal }).catch((error: WorkFailure) => error))
    for (const controller of controllers.toReversed()) controller.abort()
    for (const result of await Promise.all(tasks)) expect(result).toMatchObject({ kind: 'aborted' })
    expect(await call(double, 4)).toBe(8)
  })

  test('a task that takes too much memory is killed, inside and outside the heap, and its neighbour is not', async () => {
    const neighbour = call(spin, 500, { memoryMb: 256 })
    await expect(call(hoard, null, { memoryMb: 256 })).rejects.toMatchObject({ kind: 'memory' })
    await expect(call(hoardOnHeap, null, { memoryMb: 256 })).rejects.toMatchObject({ kind: 'memory' })
    expect(await neighbour).toBe(500)
    expect(await call(double, 5, { memoryMb: 256 })).toBe(10)
  })

  test('a process that dies fails its task only', async () => {
    await expect(call(leave)).rejects.toMatchObject({ kind: 'crashed' })
    await expect(call(throwLater)).rejects.toMatchObject({ kind: 'crashed' })
    expect(await call(double, 6)).toBe(12)
  })

  test('signals meant for the server do not end a task', async () => {
    expect(await call(ignoreSignals)).toBe('still here')
  })

  test('a task that never yields ends with the server that is killed', async () => {
    const server = fork(new URL('../../testing/process-owner.ts', import.meta.url), { execArgv: ['--no-warnings'] })
    const [pid] = (await once(server, 'message')) as [number]
    expect(alive(pid)).toBe(true)
    server.kill('SIGKILL')
    await gone(pid)
  })
})
