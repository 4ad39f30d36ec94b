/** How far the clocks of servers that answered are from ours, by the `Date` of their answers (RFC 9110, 6.6.1). */

export interface ClockReadings {
  /** Notes what an answer said; times in milliseconds. */
  note(host: string, headers: Readonly<Record<string, string>>, askedAt: number, answeredAt: number): void
  /** Of each server that answered in the last hour: how far it is ahead of us, in milliseconds. */
  list(): readonly number[]
}

/** A server says the same second many times: so long, what was noted of it stands. */
const notedMs = 1000
const keptMs = 3_600_000
const keptHosts = 100
/** `Date` has whole seconds: half of one is added, so that the mean is right. */
const roundingMs = 500
/** What took longer says little about when the answer was written. */
const slowestMs = 10_000

/** `now` gives the time of this machine in milliseconds. */
export const createClockReadings = (now: () => number = Date.now): ClockReadings => {
  const byHost = new Map<string, { readonly date: string; readonly aheadMs: number; readonly at: number }>()
  return {
    note(host, { date, age }, askedAt, answeredAt) {
      // What a cache kept says when it was kept.
      if (date === undefined || age !== undefined || answeredAt - askedAt > slowestMs) return
      const known = byHost.get(host)
      if (known?.date === date && answeredAt - known.at < notedMs) return
      const said = Date.parse(date)
      if (Number.isNaN(said)) return
      byHost.delete(host)
      byHost.set(host, { date, aheadMs: said + roundingMs - answeredAt, at: answeredAt })
      const [oldest] = byHost.keys()
      if (byHost.size > keptHosts && oldest !== undefined) byHost.delete(oldest)
    },
    list: () => [...byHost.values()].filter(({ at }) => now() - at < keptMs).map(({ aheadMs }) => aheadMs),
  }
}
