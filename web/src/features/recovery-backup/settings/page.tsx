import { type BackupsState, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { BackupItems } from './backup-items.tsx'
import { RestoreDrills } from './drills.tsx'
import { Destinations } from './destinations.tsx'
import { Key } from './key.tsx'
import { Pause } from './pause.tsx'
import { Retention } from './retention.tsx'
import { Schedule } from './schedule.tsx'
import { useText } from 'virtual:words/recovery-backup'

/** Backups of the instance: how things are, where they are kept, how often, what there is, and the key. */
export function Backups() {
  const t = useText('recovery-backup')
  const state = useQuery(queryOf(routes.backupsState))
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <Pause />
      <QueryView query={state} title={t('stateNotLoaded')} lines={2}>
        {(known) => <State state={known} />}
      </QueryView>
      <Destinations />
      <Schedule />
      <Retention />
      <BackupItems />
      <RestoreDrills />
      <Key />
    </>
  )
}

const ended: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled'])

/** How things are, in a sentence, and a backup by hand with its progress. */
function State({ state: { lastMadeAt, lastFailure, nextAt } }: { state: BackupsState }) {
  const t = useText('recovery-backup')
  const destinations = useQuery(queryOf(routes.destinations))
  const make = useMutation({ mutationFn: () => call(routes.makeBackup, {}) })
  const id = make.data?.id ?? ''
  const job = useQuery({
    ...queryOf(durableJobsRoutes.read, { params: { id } }),
    enabled: id !== '',
    refetchInterval: ({ state }) => (ended.has(state.data?.state ?? '') ? false : 1000),
  })
  const isOver = ended.has(job.data?.state ?? '')
  const isRunning = make.isPending || (id !== '' && !isOver && !job.isError)
  useEffect(() => {
    if (!isOver) return
    void refresh(routes.backupsState)
    void refresh(routes.backups)
    void refresh(routes.key)
  }, [isOver])
  const rows = job.data?.progress?.current
  return (
    <div id="state" className="mt-4 rounded-xl border border-line bg-raised px-4 py-3">
      <p className={lastFailure ? 'text-danger-ink' : undefined}>
        {lastMadeAt ? t('lastMade', { ago: formatAgo(lastMadeAt), time: formatDateTime(lastMadeAt) }) : t('neverMade')}{' '}
        {lastFailure && t('lastFailed', { time: formatDateTime(lastFailure.at) })}
      </p>
      {lastFailure && (
        <p dir="auto" className="mt-0.5 text-start text-sm break-words text-muted">
          {lastFailure.detail}
        </p>
      )}
      {nextAt && <p className="mt-0.5 text-sm text-muted">{t('next', { time: formatDateTime(nextAt) })}</p>}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          tone="primary"
          busy={isRunning}
          disabled={destinations.data?.items.length === 0}
          onClick={() => make.mutate()}
        >
          {t('make')}
        </Button>
        <p role="status" className="text-sm empty:hidden">
          {isRunning && (
            <span className="flex items-center gap-2 text-muted">
              <Spinner size={14} label={t('making')} />
              {rows ? t('makingRows', { count: rows }) : t('making')}
            </span>
          )}
          {job.data?.state === 'succeeded' && <span className="text-ok-ink">{t('made')}</span>}
          {job.data?.state === 'failed' && <span className="text-danger-ink">{t('notMade')}</span>}
          {make.isError && <span className="text-danger-ink">{wordsOf(make.error)}</span>}
        </p>
      </div>
    </div>
  )
}
