import { hostname } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '../log/log.ts'
import { realClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { type Processes, createProcesses } from './index.ts'

const all: Processes[] = []
afterEach(async () => {
  for (const one of all.splice(0)) await one.stop()
})

const begin = async (open: Open, count: number) => {
  const database = await open([])
  let now = realClock.now()
  const clock = { ...realClock, now: () => (now += 1) }
  const made = Array.from({ length: count }, (_, index) => {
    const one = createProcesses({
      database,
      clock,
      log: createLog({ level: 'silent' }),
      processId: `process-${index}`,
      version: '1.2.3',
      everyMs: 20,
    })
    all.push(one)
    return one
  })
  for (const [index, one] of made.entries()) await one.start(() => ({ streams: index, answers: 10 + index }))
  return { made, database, pass: (ms: number) => (now += ms) }
}
const ids = (one: Processes | undefined) => one?.list().map(({ id }) => id)

onBothDatabases('the processes of an instance', (open) => {
  test('know of each other, each itself first, with what each is doing', async () => {
    const { made } = await begin(open, 3)
    const [first, second] = made
    await vi.waitFor(() => {
      expect(ids(first)).toEqual(['process-0', 'process-1', 'process-2'])
      expect(ids(second)).toEqual(['process-1', 'process-0', 'process-2'])
    })
    expect(first?.list()[1]).toMatchObject({
      host: hostname(),
      pid: process.pid,
      version: '1.2.3',
      phase: 'starting',
      streams: 1,
      answers: 11,
    })
  })

  test('know which of them take work, and that one is gone, at once', async () => {
    const { made } = await begin(open, 2)
    const [first, second] = made
    await vi.waitFor(() => expect(first?.list()).toHaveLength(2))
    expect(first?.hasOthers()).toBe(false)
    await second?.enter('ready')
    await vi.waitFor(() => expect(first?.hasOthers()).toBe(true))
    await second?.enter('leaving')
    await vi.waitFor(() => expect(first?.hasOthers()).toBe(false))
    await second?.stop()
    await vi.waitFor(() => expect(ids(first)).toEqual(['process-0']))
  })

  test('forget one that was silent for a while', async () => {
    const { made, database, pass } = await begin(open, 1)
    const [first] = made
    const report = { ...first?.list()[0], id: 'killed', startedAt: 0 }
    await database.notify('processes', JSON.stringify(report))
    await vi.waitFor(() => expect(ids(first)).toEqual(['process-0', 'killed']))
    pass(20_000)
    expect(ids(first)).toEqual(['process-0'])
  })
})
