import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { realClock } from '../../testing/clock.ts'
import { addSample, createDiskHistory, readDiskHistory } from './disk-history.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'disk-history-'))))
afterEach(() => rm(folder, { recursive: true }))

const hourMs = 3_600_000

test('a sample is kept every six hours, for a month, and none that lies ahead', () => {
  let samples: readonly { at: number; usedBytes: number }[] = []
  for (let hour = 0; hour < 24 * 60; hour++) samples = addSample(samples, { at: hour * hourMs, usedBytes: hour })
  expect(samples).toHaveLength(4 * 30)
  expect(samples.at(-1)?.at).toBe((24 * 60 - 6) * hourMs)
  expect(addSample(samples, { at: 0, usedBytes: 7 })).toEqual([{ at: 0, usedBytes: 7 }])
})

test('the history is there after a restart, and a file that was cut off is begun anew', async () => {
  let now = realClock.now()
  const run = async () => {
    const history = createDiskHistory({
      folder,
      clock: { ...realClock, now: () => now },
      log: createLog({ level: 'silent' }),
    })
    await history.start()
    history.stop()
    return await readDiskHistory(folder)
  }
  expect(await run()).toEqual([{ at: now, usedBytes: expect.any(Number) }])
  expect(await run()).toHaveLength(1)
  now += 7 * hourMs
  expect(await run()).toHaveLength(2)
  const [file = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  await writeFile(join(folder, file), '[{"at":1')
  expect(await readDiskHistory(folder)).toEqual([])
  expect(await run()).toHaveLength(1)
})

test('a folder that is gone breaks nothing', async () => {
  const log = createLog({ level: 'silent' })
  const history = createDiskHistory({ folder: join(folder, 'gone'), clock: realClock, log })
  await history.start()
  history.stop()
  expect(await readDiskHistory(join(folder, 'gone'))).toEqual([])
})
