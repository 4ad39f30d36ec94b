import { accountsRoutes } from '@atrium/contract/accounts'
import { systemDiagnosticsRoutes, type SystemReport } from '@atrium/contract/system-diagnostics'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { formatClock } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ContainerEngineSection } from './parts/container-engine.tsx'
import { HostCard, ProcessCard } from './parts/host.tsx'
import { NetworkSection } from './parts/network.tsx'
import { DiskSection, MemorySection } from './parts/storage.tsx'
import { useAttention } from './use-attention.ts'
import { useText } from 'virtual:words/system-diagnostics'

const everyMs = 30_000

/** For administrators alone: whoever stops being one is led away at once. */
export function SystemPage() {
  const t = useText('system-diagnostics')
  useTitle(t('title'))
  const admin = useIsAdmin()
  return admin ? <Report /> : <Navigate to={links.newChat()} replace />
}

function Report() {
  const t = useText('system-diagnostics')
  const isLookedAt = useAttention()
  const report = useQuery({
    ...queryOf(systemDiagnosticsRoutes.read),
    // Figures are of now, or not shown: none is kept for the next visit.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: isLookedAt ? everyMs : false,
  })
  const { dataUpdatedAt, refetch } = report
  // Who comes back after a while does not wait for the next turn.
  useEffect(() => {
    if (isLookedAt && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt >= everyMs) void refetch()
  }, [isLookedAt, dataUpdatedAt, refetch])
  const refused = codeOf(report.error) === 'forbidden'
  // The role is gone: once the page knows it, it leads elsewhere.
  useEffect(() => {
    if (refused) void refresh(accountsRoutes.me)
  }, [refused])
  return (
    <div className="h-full min-h-0 overflow-y-auto px-4 pt-5 tab:px-8">
      <div className="mx-auto max-w-6xl pb-16">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
          <span className="flex-1" />
          {report.data && (
            <p className="text-sm text-muted tabular-nums">
              {t('asOf', { time: formatClock(report.data.generatedAt) })}
            </p>
          )}
          <Button
            icon={<RefreshCw className="size-4" />}
            busy={report.isFetching && !report.isPending}
            onClick={() => void report.refetch()}
          >
            {t('refresh')}
          </Button>
        </div>
        <p className="mt-1 text-sm text-muted">{t('about')}</p>
        {report.isError && (
          <ErrorCard
            className="mt-5"
            title={t(report.data ? 'notRenewed' : 'notLoaded')}
            details={detailsOf(report.error)}
            onRetry={() => void report.refetch()}
          >
            {wordsOf(report.error)}
          </ErrorCard>
        )}
        {report.isPending && <Skeleton lines={10} className="mt-6" />}
        {report.data && <Groups data={report.data} />}
      </div>
    </div>
  )
}

function Groups({ data }: { data: SystemReport }) {
  return (
    <>
      <div className="grid gap-x-6 tab:grid-cols-2">
        <HostCard host={data.host} />
        <ProcessCard runtime={data.runtime} />
        <MemorySection memory={data.memory} containerized={data.host?.containerized ?? false} />
        <DiskSection filesystems={data.filesystems} />
      </div>
      <NetworkSection interfaces={data.network.interfaces} />
      <ContainerEngineSection engine={data.docker} />
    </>
  )
}
