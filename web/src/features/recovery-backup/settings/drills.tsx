import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { type Drill, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { formatDateTime, formatDuration, formatNumber, formatSpan } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/recovery-backup'

const shown = 5
const ended: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled'])

/** The last restore drills, and one by hand with its progress. */
export function RestoreDrills() {
  const t = useText('recovery-backup')
  const drills = useQuery(queryOf(routes.drills))
  const state = useQuery(queryOf(routes.backupsState))
  const backups = useQuery(queryOf(routes.backups))
  const run = useMutation({ mutationFn: () => call(routes.runDrill, { body: {} }) })
  const id = run.data?.id ?? ''
  const job = useQuery({
    ...queryOf(durableJobsRoutes.read, { params: { id } }),
    enabled: id !== '',
    refetchInterval: ({ state }) => (ended.has(state.data?.state ?? '') ? false : 1000),
  })
  const isOver = ended.has(job.data?.state ?? '')
  const isRunning = run.isPending || (id !== '' && !isOver && !job.isError)
  useEffect(() => {
    if (isOver) void refresh(routes.drills)
  }, [isOver])
  const rows = job.data?.progress?.current
  return (
    <Section
      id="drills"
      title={t('drills')}
      text={t(drills.data?.intervalHours === null ? 'drillsTextManual' : 'drillsText')}
    >
      <QueryView query={drills} title={t('drillsNotLoaded')} lines={2}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="py-2 text-sm text-muted">{t('noDrills')}</p>}
            <ul>
              {items.slice(0, shown).map((drill) => (
                <DrillRow key={drill.id} drill={drill} />
              ))}
            </ul>
          </>
        )}
      </QueryView>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          busy={isRunning}
          disabled={!state.data?.lastMadeAt && !backups.data?.items.length}
          onClick={() => run.mutate()}
        >
          {t('runDrill')}
        </Button>
        <p role="status" className="text-sm empty:hidden">
          {isRunning && (
            <span className="flex items-center gap-2 text-muted">
              <Spinner size={14} label={t('drilling')} />
              {rows ? t('drillingRows', { count: rows }) : t('drilling')}
            </span>
          )}
          {run.isError && <span className="text-danger-ink">{wordsOf(run.error)}</span>}
        </p>
      </div>
    </Section>
  )
}

function DrillRow({ drill }: { drill: Drill }) {
  const t = useText('recovery-backup')
  const { status, startedAt, finishedAt, destinationName, rows, values, searches, rpoSeconds, error } = drill
  const figures = {
    destination: destinationName,
    rows: formatNumber(rows ?? 0),
    duration: formatDuration(Date.parse(finishedAt) - Date.parse(startedAt)),
    age: formatSpan((rpoSeconds ?? 0) * 1000),
  }
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line py-2.5">
      <div className="min-w-40 flex-1">
        <time dateTime={startedAt} className="font-medium">
          {formatDateTime(startedAt)}
        </time>
        <p dir="auto" className="text-start text-sm break-words text-muted">
          {status === 'passed' ? t('drillFigures', figures) : `${destinationName}: ${error}`}
        </p>
        {values !== null && (
          <p className="text-sm text-muted">
            {t('drillOpened', { values: formatNumber(values), searches: formatNumber(searches ?? 0) })}
          </p>
        )}
      </div>
      <Badge tone={status === 'passed' ? 'ok' : 'danger'}>
        {t(status === 'passed' ? 'drillPassed' : 'drillFailed')}
      </Badge>
    </li>
  )
}
