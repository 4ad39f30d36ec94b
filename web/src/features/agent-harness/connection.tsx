import { agentHarnessRoutes, type HarnessStatus } from '@atrium/contract/agent-harness'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { formatAgo } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { useText } from 'virtual:words/agent-harness'

const everyMs = 10_000

/** Whether the daemon answers, asked again while somebody looks. */
export const useStatus = (): UseQueryResult<HarnessStatus> =>
  useQuery({ ...queryOf(agentHarnessRoutes.status), staleTime: 0, refetchInterval: everyMs })

/** The same, for the page alone: it loads anew what is shown when the daemon is back. */
export function useConnection(): UseQueryResult<HarnessStatus> {
  const query = useStatus()
  const connected = query.data?.connected
  const before = useRef(connected)
  // What could not be loaded while it was away is loaded as soon as it is back.
  useEffect(() => {
    if (connected && before.current === false)
      void Promise.all(readRoutes.map((route) => refresh(agentHarnessRoutes[route])))
    before.current = connected
  }, [connected])
  return query
}

const readRoutes = ['runs', 'readRun', 'automations', 'model', 'fallback', 'usage'] as const

/** What is shown of the daemon while it is away: what it said last. */
export const useLastKnown = (): HarnessStatus['lastKnown'] => useStatus().data?.lastKnown ?? null

export function ConnectionBadge({ status }: { status: HarnessStatus | undefined }) {
  const t = useText('agent-harness')
  if (!status) return null
  return <Badge tone={status.connected ? 'ok' : 'warn'}>{t(status.connected ? 'connected' : 'away')}</Badge>
}

/** Why there is no connection, what can be done, and how old what is shown is. */
export function AwayNotice({ query }: { query: UseQueryResult<HarnessStatus> }) {
  const t = useText('agent-harness')
  const { data: status, error } = query
  if (error && !status)
    return (
      <ErrorCard
        className="mt-5"
        title={t('notLoaded')}
        details={detailsOf(error)}
        onRetry={() => void query.refetch()}
      >
        {wordsOf(error)}
      </ErrorCard>
    )
  if (!status || status.connected || !status.reason) return null
  return (
    <div role="status" className="mt-5 flex items-start gap-2.5 rounded-lg border border-line bg-warn-soft px-3.5 py-3">
      <TriangleAlert aria-hidden className="mt-0.75 size-4 shrink-0 text-warn-ink" />
      <div className="min-w-0">
        <p className="font-medium">{t(`reason.${status.reason}.title`)}</p>
        <p className="mt-0.5 break-words">{t(`reason.${status.reason}.text`, { address: status.baseUrl })}</p>
        {status.lastKnown && (
          <p className="mt-0.5 text-sm text-muted">{t('lastKnown', { when: formatAgo(status.lastKnown.at) })}</p>
        )}
      </div>
    </div>
  )
}
