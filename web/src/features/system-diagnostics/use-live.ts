/** What the server says now, asked again while somebody looks at the page. */
import { accountsRoutes } from '@atrium/contract/accounts'
import type { Route } from '@atrium/contract/route'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CallArguments } from '../../api/client.ts'
import { codeOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { useAttention } from './use-attention.ts'

const everyMs = 30_000

export function useLive<R extends Route>(route: R) {
  const isLookedAt = useAttention()
  const query = useQuery({
    // A route of figures takes nothing.
    ...queryOf(route, ...([] as unknown as CallArguments<R>)),
    // Figures are of now, or not shown: none is kept for the next visit.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: isLookedAt,
    refetchInterval: isLookedAt ? everyMs : false,
  })
  const { dataUpdatedAt, refetch } = query
  // Who comes back after a while does not wait for the next turn.
  useEffect(() => {
    if (isLookedAt && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt >= everyMs) void refetch()
  }, [isLookedAt, dataUpdatedAt, refetch])
  const refused = codeOf(query.error) === 'forbidden'
  // The role is gone: once the page knows it, it leads elsewhere.
  useEffect(() => {
    if (refused) void refresh(accountsRoutes.me)
  }, [refused])
  return query
}
