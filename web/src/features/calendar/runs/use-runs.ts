/** The layer of automation runs: read when it is switched on, once the page itself stands there. */
import { type AutomationRun, automationsRoutes } from '@atrium/contract/automations'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { keyOf, queryOf, refresh } from '../../../api/query.ts'
import { useAfterFirstView } from '../../../lib/first-view.ts'
import type { Clock } from '../data/clock.ts'
import { automationRuns, useHiddenCalendars } from '../data/hidden.ts'
import type { Period } from '../layout/period.ts'
import { wallOf } from '../time/day.ts'
import { wallToInstant } from '../time/zone.ts'
import { type RunMark, isBefore, placeRuns } from './entries.ts'

onAccountEvent('automations-changed', () => {
  for (const route of [automationsRoutes.list, automationsRoutes.occurrences, automationsRoutes.runs])
    void refresh(route)
})

/** The own automations; undefined while the layer is off, or they are not known yet. */
export function useLayerAutomations() {
  const isShown = !useHiddenCalendars().includes(automationRuns)
  const enabled = useAfterFirstView() && isShown
  const list = useQuery({ ...queryOf(automationsRoutes.list), enabled })
  return { isShown, list: isShown ? list.data?.items : undefined, query: list }
}

export interface RunLayer {
  readonly marks: readonly RunMark[]
  /** There are more runs than are read: the older ones of these days are missing. */
  readonly truncated: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** The runs of a period, past and to come. */
export function useRuns({ first, last }: Period, { zone, today }: Clock): RunLayer {
  const { isShown, list, query } = useLayerAutomations()
  const from = wallToInstant(wallOf(first, 0), zone)
  const to = wallToInstant(wallOf(last + 1, 0), zone)
  const some = list !== undefined && list.length > 0
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const coming = useQuery({
    ...queryOf(automationsRoutes.occurrences, { query: range }),
    enabled: some && last >= today,
  })
  const past = useQuery({ ...runsSince(from), enabled: some && first <= today })
  const marks = useMemo(
    () =>
      some ? placeRuns({ from, to }, zone, list, past.data?.items ?? nothing, coming.data?.items ?? nothing) : nothing,
    [some, from, to, zone, list, past.data, coming.data],
  )
  const asked = [query, coming, past]
  return {
    marks,
    truncated: some && past.data?.truncated === true,
    error: isShown ? (asked.find(({ error }) => error)?.error ?? null) : null,
    retry: () => asked.filter(({ isError }) => isError).forEach((each) => void each.refetch()),
  }
}

const nothing: readonly never[] = []
/** Of 200 runs each. */
const mostPages = 5

/** The runs since an instant, and perhaps some before it. */
const runsSince = (from: number) =>
  queryOptions({
    queryKey: [...keyOf(automationsRoutes.runs), 'since', from],
    queryFn: async ({ signal }) => {
      const items: AutomationRun[] = []
      let cursor: string | undefined
      for (let count = 0; count < mostPages; count++) {
        const page = await call(automationsRoutes.runs, { query: { limit: 200, cursor } }, { signal })
        items.push(...page.items)
        const oldest = page.items.at(-1)
        if (page.nextCursor === null || !oldest || isBefore(oldest, from)) return { items, truncated: false }
        cursor = page.nextCursor
      }
      return { items, truncated: true }
    },
  })
