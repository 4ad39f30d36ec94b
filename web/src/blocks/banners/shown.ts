/** The banners on screen: those that are shown now, without those that were put away in this browser. */
import { type Banner, brandingRoutes } from '@atrium/contract/branding'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'

const storedAs = 'atrium.banners'
/** Timers do not reach further than some weeks. */
const longest = 24 * 3600_000
/** Where the clock of the browser is ahead, the server says the same again. */
const shortest = 15_000

export function useBanners(): { banners: readonly Banner[]; dismiss: (banner: Banner) => void } {
  const { data } = useQuery({ ...queryOf(brandingRoutes.banners), staleTime: 0, enabled: useAfterFirstView() })
  const [away, setAway] = useState(readAway)
  useEffect(() => onAccountEvent('banners-changed', () => void refresh(brandingRoutes.banners)), [])
  useChangesAt(data?.changesAt ?? null, () => void refresh(brandingRoutes.banners))
  function dismiss({ id, updatedAt }: Banner) {
    // Those that are gone are forgotten.
    const present = new Set(data?.items.map((banner) => banner.id))
    const kept = Object.entries({ ...away, [id]: updatedAt }).filter(([other]) => present.has(other))
    const next = Object.fromEntries(kept)
    setAway(next)
    try {
      localStorage.setItem(storedAs, JSON.stringify(next))
    } catch {
      // Storage is full or switched off: it comes again with the next page.
    }
  }
  const banners = (data?.items ?? []).filter(({ id, updatedAt, dismissible }) => !dismissible || away[id] !== updatedAt)
  return { banners, dismiss }
}

/** Calls `change` when a banner begins or ends by itself. */
export function useChangesAt(time: string | null, change: () => void): void {
  useEffect(() => {
    if (time === null) return
    const wait = Math.min(longest, Math.max(shortest, Date.parse(time) - Date.now()))
    const timer = setTimeout(change, wait)
    return () => clearTimeout(timer)
  }, [time, change])
}

function readAway(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(storedAs) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
