/**
 * Ids of tool calls that are unique over a history. Some providers begin anew with every answer (`call_0`), and others
 * refuse a history in which an id repeats: there the later call gets another id, and its result the same one.
 */

export interface CallIds {
  /** The id of the next call: its own while that is free. */
  call(id: string): string
  /** The id of a result: that of the first call of this id whose result has not come yet. */
  result(id: string): string
}

/** The same history gives the same ids, so that what a provider has in its cache stays good. `sound`: fits an id to its form. */
export function createCallIds(sound: (id: string) => string = (id) => id): CallIds {
  const used = new Set<string>()
  const open = new Map<string, string[]>()
  const last = new Map<string, string>()
  /** Where to go on counting, so that a thousand equal ids are not counted through a thousand times. */
  const counts = new Map<string, number>()

  const free = (wanted: string): string => {
    if (!used.has(wanted)) return wanted
    for (let count = (counts.get(wanted) ?? 1) + 1; ; count += 1) {
      const next = `${wanted}_${count}`
      if (used.has(next)) continue
      counts.set(wanted, count)
      return next
    }
  }
  return {
    call(id) {
      const given = free(sound(id))
      used.add(given)
      last.set(id, given)
      const waiting = open.get(id)
      if (waiting) waiting.push(given)
      else open.set(id, [given])
      return given
    },
    result: (id) => open.get(id)?.shift() ?? last.get(id) ?? sound(id),
  }
}
