import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isAlive } from '../../testing/agents/is-alive.ts'
import { endLeftovers, forgetRunning, noteRunning } from './leftovers.ts'

const patient = { timeout: 120_000, interval: 10 }
const dayMs = 86_400_000
const started: number[] = []
let folder: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'leftovers-')), 'running')
})
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(-pid, 'SIGKILL')
})

/** A program that leads a group, and something that it started. */
const startGroup = async (): Promise<{ readonly pid: number; readonly child: number }> => {
  const leader = spawn('sh', ['-c', 'sleep 300 & echo $!; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const pid = leader.pid ?? 0
  started.push(pid)
  const [words] = (await once(leader.stdout, 'data')) as [Buffer]
  return { pid, child: Number(String(words).trim()) }
}

/** As if the server that noted it were another one, which is gone, with what else is said. */
const rewrite = async (pid: number, change: object = {}): Promise<void> => {
  const file = join(folder, `${pid}.json`)
  const note = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, JSON.stringify({ ...note, server: { pid: process.pid, startedAt: 'long ago' }, ...change }))
}

describe('programs that run while their server is killed', () => {
  test('are ended with all that they started by the next start', async () => {
    const { pid, child } = await startGroup()
    await noteRunning(folder, pid)
    await rewrite(pid)
    await endLeftovers(folder, Date.now())
    await vi.waitUntil(() => !isAlive(pid) && !isAlive(child), patient)
    expect(await readdir(folder)).toEqual([])
  })

  test('are ended although the first of them is gone already', async () => {
    const { pid, child } = await startGroup()
    await noteRunning(folder, pid)
    await rewrite(pid)
    process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => !isAlive(pid), patient)
    expect(isAlive(child)).toBe(true)
    await endLeftovers(folder, Date.now())
    await vi.waitUntil(() => !isAlive(child), patient)
  })

  test('are left alone while their server lives, and where another has their number by now', async () => {
    const [own, foreign] = [await startGroup(), await startGroup()]
    await noteRunning(folder, own.pid)
    await noteRunning(folder, foreign.pid)
    await rewrite(foreign.pid, { startedAt: '1' })
    await endLeftovers(folder, Date.now())
    expect([own.pid, own.child, foreign.pid, foreign.child].every(isAlive)).toBe(true)
    expect(await readdir(folder)).toEqual([`${own.pid}.json`])
    await forgetRunning(folder, own.pid)
    expect(await readdir(folder)).toEqual([])
  })

  test('are left alone on other machines, whose notes go after a week; what cannot be read goes at once', async () => {
    const { pid } = await startGroup()
    await noteRunning(folder, pid)
    await rewrite(pid, { place: 'elsewhere' })
    await writeFile(join(folder, '7.json'), '{"pid":')
    await endLeftovers(folder, Date.now())
    expect(await readdir(folder)).toEqual([`${pid}.json`])
    const before = new Date(Date.now() - 8 * dayMs)
    await utimes(join(folder, `${pid}.json`), before, before)
    await endLeftovers(folder, Date.now())
    expect(await readdir(folder)).toEqual([])
    expect(isAlive(pid)).toBe(true)
  })
})
