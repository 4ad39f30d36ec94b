import { expect, it } from 'vitest'
import { createIds, systemClock } from './system-clock.ts'

const form = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

it('ids are UUIDs of version 7 that carry their time', () => {
  const time = 0x019aa0c0ffee
  const id = createIds(() => time)()
  expect(id).toMatch(form)
  expect(id.startsWith('019aa0c0-ffee-7')).toBe(true)
  expect(systemClock.id()).toMatch(form)
})

it('ids sort in the order they were made, many within a millisecond and when the time goes back', () => {
  let time = 1_000_000
  const next = createIds(() => time)
  const ids = Array.from({ length: 20_000 }, (_, i) => {
    if (i === 10_000) time -= 500
    return next()
  })
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})
