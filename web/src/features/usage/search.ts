/** What the usage page shows, as its address says it. */
import type { UsageQuery } from '@atrium/contract/usage'

export const filterNames = ['accountId', 'groupId', 'providerId', 'model', 'capability', 'status'] as const
export type FilterName = (typeof filterNames)[number]
export type UsageFilters = { [K in FilterName]?: string | undefined }
export const spanDays = [1, 7, 30, 90] as const

export interface UsageSearch extends UsageFilters {
  tab?: 'prices' | 'budgets' | 'policy' | undefined
  /** One of `spans`; a month where nothing is said. */
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Reads what an address holds; what it cannot mean is left out. */
export function readSearch(search: Record<string, unknown>): UsageSearch {
  const word = (name: string): string | undefined => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
  }
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(word(name) ?? '') ? word(name) : undefined)
  const days = Number(word('days'))
  const tab = word('tab')
  const [from, to] = [day('from'), day('to')]
  return {
    tab: tab === 'prices' || tab === 'budgets' || tab === 'policy' ? tab : undefined,
    days: spanDays.some((span) => span === days) ? days : undefined,
    ...(from !== undefined && to !== undefined && from <= to ? { from, to } : {}),
    ...Object.fromEntries(filterNames.map((name) => [name, word(name)])),
  }
}

/** Minutes east of UTC at this moment, in whole quarters of an hour, as every zone has them. */
export const offsetMinutes = (now = new Date()): number => Math.round(-now.getTimezoneOffset() / 15) * 15 + 0

/** The same as the server wants to hear it. */
export function toQuery({ days, from, to, tab: _, ...filters }: UsageSearch): Partial<UsageQuery> {
  const range = from !== undefined && to !== undefined ? { from, to } : { days: days ?? 30 }
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
  return { ...range, offsetMinutes: offsetMinutes(), ...given }
}
