import { useRef, useState } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(id: string, range: boolean, order: readonly string[]): void
  set(ids: Iterable<string>): void
}

/** Which rows of a list are ticked; with Shift all from the last one on. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  return {
    ids,
    toggle(id, range, order) {
      const from = last.current === null ? -1 : order.indexOf(last.current)
      const to = order.indexOf(id)
      const stretch = range && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      const on = !ids.has(id)
      const next = new Set(ids)
      for (const one of stretch) on ? next.add(one) : next.delete(one)
      last.current = id
      setIds(next)
    },
    set: (next) => setIds(new Set(next)),
  }
}
