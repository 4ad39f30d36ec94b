import { expect, it } from 'vitest'
import { applyRetention, usualRetention } from './retention.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)
/** One every hour for so many hours, oldest first. */
const hourly = (hours: number) =>
  Array.from({ length: hours }, (_, n) => ({ id: `b${String(n).padStart(5, '0')}`, createdAt: start + n * hour }))

it('keeps hours of a day, days of a week, weeks and months, and lets the rest go', () => {
  const backups = hourly(24 * 400)
  const now = start + 24 * 400 * hour
  const kept = applyRetention(backups, usualRetention, { now }).filter(({ reasons }) => reasons.length > 0)
  const count = (reason: string) => kept.filter(({ reasons }) => reasons.includes(reason as never)).length
  expect(['newest', 'hourly', 'daily', 'weekly', 'monthly'].map(count)).toEqual([1, 24, 7, 5, 12])
  // Applied every hour, the same stay as when it is applied once.
  let left: { id: string; createdAt: number }[] = []
  for (const backup of backups.slice(-24 * 60)) {
    const ids = new Set(
      applyRetention([...left, backup], usualRetention, { now: backup.createdAt })
        .filter(({ reasons }) => reasons.length > 0)
        .map(({ id }) => id),
    )
    left = [...left, backup].filter(({ id }) => ids.has(id))
  }
  const recent = (all: readonly { id: string }[]) => all.slice(-30).map(({ id }) => id)
  expect(recent(left)).toEqual(recent(kept.toReversed()))
})

it('never lets the newest and the last proved one go, nor what cannot be read', () => {
  const none = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }
  const backups = [...hourly(3), { id: 'broken', createdAt: null }]
  const kept = applyRetention(backups, none, { now: start + 4 * hour, proved: 'b00000' })
  expect(Object.fromEntries(kept.map(({ id, reasons }) => [id, reasons]))).toEqual({
    b00002: ['newest'],
    b00001: [],
    b00000: ['proved'],
    broken: ['unreadable'],
  })
})

it('lets nothing go when one was made in the future, and no more when the clock runs ahead', () => {
  const backups = hourly(1000)
  const behind = applyRetention(backups, usualRetention, { now: start + 10 * hour })
  expect(behind.every(({ reasons }) => reasons.includes('clock'))).toBe(true)
  const [usual, ahead] = [1000, 100_000].map((hours) =>
    applyRetention(backups, usualRetention, { now: start + hours * hour }).map(({ id, reasons }) => [id, reasons]),
  )
  expect(ahead).toEqual(usual)
})
