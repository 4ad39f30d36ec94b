import { type DoctorCheck, doctorRoutes } from '@atrium/contract/doctor'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { AlertList } from '../../../blocks/alerts/alert-list.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { CheckList } from './check-list.tsx'
import { checkTimeout, checkWay } from './measure.ts'
import { useText } from 'virtual:words/doctor'

// Looked at once for each visit of the page, and whenever somebody asks for it.
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false } as const

/** Whether the server and the way to it are well, and what to change where they are not. */
export function Doctor() {
  const t = useText('doctor')
  const [proxy, setProxy] = useState('nginx')
  const report = useQuery({ ...queryOf(doctorRoutes.report), ...once })
  const token = report.data?.probeToken ?? ''
  const enabled = token !== ''
  const way = useQuery({ queryKey: ['doctor-way', token], queryFn: () => checkWay(token), enabled, ...once })
  const timeout = useQuery({
    queryKey: ['doctor-timeout', token],
    queryFn: () => checkTimeout(token),
    enabled,
    ...once,
  })
  const all = [...(report.data?.checks ?? []), ...(way.data ?? []), ...(timeout.data ?? [])]
  // The wait for a slow answer keeps nobody from asking again.
  const running = report.isFetching || way.isFetching
  const list = (checks: readonly DoctorCheck[]) => <CheckList checks={checks} proxy={proxy} onProxy={setProxy} />

  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button icon={<RefreshCw className="size-4" />} busy={running} onClick={() => void report.refetch()}>
          {t('again')}
        </Button>
        <p role="status" className="text-sm text-muted">
          {report.data && summaryOf(all, t)}
          {report.data && !running && ` ${t('asOf', { time: formatDateTime(report.data.generatedAt) })}`}
        </p>
      </div>
      <AlertList />
      <section id="server" className="-mx-3 mt-6 rounded-lg px-3">
        <Group title={t('entry.server')} text={t('serverText')}>
          <QueryView query={report} title={t('notChecked')} lines={8}>
            {({ checks }) => list(checks)}
          </QueryView>
        </Group>
      </section>
      <section id="way" className="-mx-3 mt-6 rounded-lg px-3">
        <Group title={t('entry.way')} text={t('wayText', { address: location.origin })}>
          {way.isFetching && <Working text={t('measuring')} />}
          {!way.isFetching && <Part query={way} list={list} title={t('notMeasured')} />}
          {timeout.isFetching && <Working text={t('waiting')} />}
          {!timeout.isFetching && <Part query={timeout} list={list} title={t('notMeasured')} />}
        </Group>
      </section>
    </>
  )
}

function Part({
  query,
  list,
  title,
}: {
  query: UseQueryResult<DoctorCheck[]>
  list: (checks: readonly DoctorCheck[]) => React.ReactNode
  title: string
}) {
  if (query.isPending && query.fetchStatus === 'idle') return null
  return (
    <QueryView query={query} title={title}>
      {list}
    </QueryView>
  )
}

const Working = ({ text }: { text: string }) => (
  <p role="status" className="flex items-center gap-2 py-3 text-sm text-muted">
    <Spinner /> {text}
  </p>
)

function summaryOf(checks: readonly DoctorCheck[], t: ReturnType<typeof useText>): string {
  const count = (status: DoctorCheck['status']) => checks.filter((check) => check.status === status).length
  const [failed, warned] = [count('fail'), count('warn')]
  if (failed > 0) return t('failed', { count: failed })
  return warned > 0 ? t('warned', { count: warned }) : t('well')
}
