import { systemDiagnosticsRoutes, type SystemReport } from '@atrium/contract/system-diagnostics'
import { Navigate } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useIsAdmin } from '../../api/account.ts'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { AlertList } from '../../blocks/alerts/alert-list.tsx'
import { QueryView } from '../../blocks/setting-row/query-view.tsx'
import { formatClock } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ContainerEngineSection } from './parts/container-engine.tsx'
import { HostCard, ProcessCard } from './parts/host.tsx'
import { InstanceGroups } from './parts/instance.tsx'
import { NetworkSection } from './parts/network.tsx'
import { DiskSection, MemorySection } from './parts/storage.tsx'
import { SupportBundle } from './parts/support-bundle.tsx'
import { useLive } from './use-live.ts'
import { useText } from 'virtual:words/system-diagnostics'

/** For administrators alone: whoever stops being one is led away at once. */
export function SystemPage() {
  const t = useText('system-diagnostics')
  useTitle(t('title'))
  const admin = useIsAdmin()
  return admin ? <Report /> : <Navigate to={links.newChat()} replace />
}

function Report() {
  const t = useText('system-diagnostics')
  const report = useLive(systemDiagnosticsRoutes.read)
  const instance = useLive(systemDiagnosticsRoutes.instance)
  const history = useLive(systemDiagnosticsRoutes.history)
  const renew = () => [report, instance, history].forEach((query) => void query.refetch())
  return (
    <div className="h-full min-h-0 overflow-y-auto px-4 pt-5 tab:px-8">
      <div className="max-w-6xl pb-16">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
          <span className="flex-1" />
          {report.data && (
            <p className="text-sm text-muted tabular-nums">
              {t('asOf', { time: formatClock(report.data.generatedAt) })}
            </p>
          )}
          <Button icon={<RefreshCw className="size-4" />} busy={report.isFetching && !report.isPending} onClick={renew}>
            {t('refresh')}
          </Button>
        </div>
        <p className="mt-1 text-sm text-muted">{t('about')}</p>
        <AlertList linked />
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
        {report.data && <MachineGroups data={report.data} />}
        <QueryView query={instance} title={t('instance.notLoaded')} lines={8}>
          {(data) => <InstanceGroups data={data} history={history.data} />}
        </QueryView>
        {report.data && <SurroundingGroups data={report.data} />}
        <SupportBundle />
      </div>
    </div>
  )
}

function MachineGroups({ data }: { data: SystemReport }) {
  return (
    <div className="grid gap-x-6 tab:grid-cols-2">
      <HostCard host={data.host} />
      <ProcessCard runtime={data.runtime} />
      <MemorySection memory={data.memory} containerized={data.host?.containerized ?? false} />
      <DiskSection filesystems={data.filesystems} />
    </div>
  )
}

function SurroundingGroups({ data }: { data: SystemReport }) {
  return (
    <>
      <NetworkSection interfaces={data.network.interfaces} />
      <ContainerEngineSection engine={data.docker} />
    </>
  )
}
