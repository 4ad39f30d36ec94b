/** How people are shown, of those whom a page shows, and how the own account is. */
import { type OwnPresence, type Presence, presenceRoutes as routes } from '@atrium/contract/presence'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { call } from '../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../api/query.ts'
import { showPerson } from '../../api/shown-streams.ts'
import { knownPresence, onPresence } from '../../api/stream-events.ts'

/** How somebody is shown, for as long as the component is there; undefined: nobody said, or it may not be known. */
export function usePresence(userId: string | undefined): Presence | undefined {
  useEffect(() => (userId === undefined ? undefined : showPerson(userId)), [userId])
  const read = useCallback(() => (userId === undefined ? undefined : knownPresence(userId)), [userId])
  return useSyncExternalStore(onPresence, read)
}

/** What the own account has set; it keeps up with other devices. */
export function useOwnPresence(userId: string): OwnPresence | undefined {
  const own = useQuery({ ...queryOf(routes.own, {}), staleTime: 60_000 }).data
  useEffect(() => {
    const stop = showPerson(userId)
    const stopHearing = onPresence((ids) => {
      if (ids.includes(userId)) void refresh(routes.own)
    })
    return () => {
      stop()
      stopHearing()
    }
  }, [userId])
  return own
}

export async function savePresence(body: OwnPresence): Promise<void> {
  queryClient.setQueryData(keyOf(routes.own, {}), await call(routes.set, { body }))
}
