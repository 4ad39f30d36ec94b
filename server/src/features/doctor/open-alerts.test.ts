import { describe, expect, test } from 'vitest'
import { type OpenAlerts, type Sight, claimUntold, isOpen, markTold, updateAlerts } from './open-alerts.ts'

const minute = 60_000
const hour = 60 * minute
const saw = (status: Sight['status'], change: Partial<Sight> = {}): Sight[] => [
  { key: 'disk', host: null, status, message: 'seen', isKnown: true, ...change },
]
const openKeys = (open: OpenAlerts) => Object.keys(open).filter((key) => isOpen(open[key] as never))

describe('an alert', () => {
  test('keeps its beginning while it lasts, and ends after two passes in a row', () => {
    const seen = updateAlerts({}, saw('warn', { message: 'nearly full' }), 1000)
    expect(openKeys(seen)).toEqual([])
    const worse = updateAlerts(seen, saw('fail', { message: 'full' }), 2000)
    expect(worse['disk']).toMatchObject({ status: 'fail', message: 'full', since: 1000 })
    expect(openKeys(worse)).toEqual(['disk'])
    const better = updateAlerts(worse, saw('pass'), 3000)
    expect(better['disk']).toMatchObject({ status: 'fail', passes: 1 })
    expect(updateAlerts(better, saw('fail'), 4000)['disk']).toMatchObject({ since: 1000, passes: 0 })
    expect(updateAlerts(better, saw('pass'), 4000)).toEqual({})
  })

  test('is no alert where a warning was seen once only', () => {
    expect(updateAlerts(updateAlerts({}, saw('warn'), 1000), saw('pass'), 2000)).toEqual({})
  })

  test('stays as it was while nothing is known of it, for a day', () => {
    let open = updateAlerts({}, saw('fail'), 0)
    for (let now = 0; now <= 24 * hour; now += 5 * minute)
      open = updateAlerts(open, saw('pass', { isKnown: false }), now)
    expect(openKeys(open)).toEqual(['disk'])
    expect(updateAlerts(open, saw('pass', { isKnown: false }), 25 * hour)).toEqual({})
    expect(updateAlerts({}, saw('pass', { isKnown: false }), 0)).toEqual({})
  })

  test('of a process that is gone ends, one of a process that still looks does not, and neither does what a job looks at', () => {
    const here = { key: 'disk@here', host: 'here' }
    let open = updateAlerts(
      {},
      [...saw('fail'), ...saw('fail', here), ...saw('fail', { ...here, key: 'disk@gone' })],
      0,
    )
    for (let now = 0; now <= hour; now += 5 * minute) open = updateAlerts(open, saw('fail', here), now)
    expect(openKeys(open)).toEqual(['disk', 'disk@here'])
  })

  test('that an older version wrote down goes on, and is not told again', () => {
    const old = { status: 'fail' as const, message: 'full', since: 1, looks: 2, passes: 0, host: null }
    const open = updateAlerts({ disk: { ...old, told: true, tellingSince: null } }, [], 48 * hour)
    expect(openKeys(open)).toEqual(['disk'])
    expect(claimUntold(open, 48 * hour).keys).toEqual([])
  })

  test('is told by one process, and by another one where that did not come to it', () => {
    const open = updateAlerts({}, saw('fail'), 0)
    const first = claimUntold(open, 0)
    expect(first.keys).toEqual(['disk'])
    expect(claimUntold(first.open, minute).keys).toEqual([])
    const second = claimUntold(first.open, 11 * minute)
    expect(second.keys).toEqual(['disk'])
    const told = markTold(second.open, second.keys)
    expect(claimUntold(updateAlerts(told, saw('fail'), 5 * hour), 5 * hour).keys).toEqual([])
  })
})
