import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createOutageWatch } from './outage.ts'

let now: number
let isAway: boolean
let told: object[]
let returned: object[]
let failsToTell: boolean
let prepared: number
const begin = (isFirst = true) =>
  createOutageWatch({
    database: {
      ping: async () => {
        if (isAway) throw new Error('The database is away.')
      },
    },
    clock: { now: () => now },
    log: createLog({ level: 'silent' }),
    host: 'nas',
    prepare: async () => {
      if (isAway) throw new Error('The database is away.')
      prepared += 1
      return async (outage) => void told.push(outage)
    },
    tellReturn: async (outage) => {
      if (failsToTell) throw new Error('The database is away again.')
      returned.push(outage)
    },
    isFirst: () => isFirst,
  })
beforeEach(() => {
  now = 1_000_000
  isAway = false
  told = []
  returned = []
  failsToTell = false
  prepared = 0
})
const pass = async (watch: ReturnType<typeof begin>, looks: number) => {
  for (let n = 0; n < looks; n++) {
    await watch.look()
    now += 15_000
  }
}

test('a database that is away for a minute is told once, and again when it goes away again', async () => {
  const watch = begin()
  await pass(watch, 2)
  isAway = true
  const since = now
  await pass(watch, 4)
  expect(told).toEqual([])
  await pass(watch, 100)
  expect(told).toEqual([{ host: 'nas', since }])
  isAway = false
  await pass(watch, 1)
  isAway = true
  await pass(watch, 10)
  expect(told).toHaveLength(2)
})

test('once the database is back, it is told once from when to when it was away, also where that takes some tries', async () => {
  const watch = begin()
  await pass(watch, 1)
  isAway = true
  const since = now
  await pass(watch, 20)
  isAway = false
  failsToTell = true
  const until = now
  await pass(watch, 3)
  failsToTell = false
  await pass(watch, 10)
  expect(returned).toEqual([{ host: 'nas', since, until }])
})

test('a restart of the database, and one process of several that is not the first, tell nothing', async () => {
  const watch = begin()
  for (let turn = 0; turn < 5; turn++) {
    isAway = false
    await pass(watch, 1)
    isAway = true
    await pass(watch, 3)
  }
  const second = begin(false)
  isAway = false
  await pass(second, 1)
  isAway = true
  await pass(second, 100)
  isAway = false
  await pass(second, 2)
  expect([told, returned]).toEqual([[], []])
})

test('who is to be told is read every few minutes while the database is there', async () => {
  const watch = begin()
  await pass(watch, 41)
  expect(prepared).toBe(3)
})
