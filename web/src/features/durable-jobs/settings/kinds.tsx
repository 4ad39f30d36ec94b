import { durableJobsRoutes, type JobKindSummary } from '@atrium/contract/durable-jobs'
import { jobKinds } from '@atrium/contract/jobs'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { formatAgo, formatDateTime, formatDuration, formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/durable-jobs'

/** Kinds with their figures, each to be paused and resumed; those with nothing to tell on demand. */
export function Kinds({ kinds }: { kinds: readonly JobKindSummary[] }) {
  const t = useText('durable-jobs')
  const nameOf = useJobKind()
  const [all, setAll] = useState(false)
  const quiet = jobKinds.filter((kind) => !kinds.some((each) => each.kind === kind)).map(quietKind)
  const rows = [...kinds, ...(all ? quiet : [])].toSorted((a, b) => nameOf(a.kind).localeCompare(nameOf(b.kind)))
  return (
    <Section
      id="kinds"
      title={t('entry.kinds')}
      text={t('kindsText')}
      actions={
        <Button size="small" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? t('kindsActive') : t('kindsAll')}
        </Button>
      }
    >
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{t('kindsNone')}</p>
      ) : (
        <DataTable
          label={t('entry.kinds')}
          rows={rows}
          keyOf={({ kind }) => kind}
          columns={[
            {
              name: t('kindLabel'),
              rowHead: true,
              cell: ({ kind, pausedAt }) => (
                <>
                  {nameOf(kind)} {pausedAt && <Badge tone="warn">{t('paused')}</Badge>}
                </>
              ),
            },
            { name: t('column.queued'), end: true, cell: ({ queued }) => count(queued) },
            {
              name: t('column.oldest'),
              end: true,
              cell: ({ oldestDueAt }) =>
                oldestDueAt ? <span title={formatDateTime(oldestDueAt)}>{formatAgo(oldestDueAt)}</span> : '–',
            },
            { name: t('column.running'), end: true, cell: ({ running }) => count(running) },
            {
              name: t('column.failed'),
              end: true,
              cell: ({ failed }) =>
                failed > 0 ? <span className="text-danger-ink">{formatNumber(failed)}</span> : '–',
            },
            { name: t('column.done'), end: true, cell: ({ lastHour }) => count(lastHour.succeeded) },
            {
              name: t('column.faults'),
              end: true,
              cell: ({ lastHour }) => count(lastHour.failed + lastHour.retried + lastHour.interrupted),
            },
            {
              name: t('column.average'),
              end: true,
              cell: ({ lastHour }) => (lastHour.averageMs === null ? '–' : formatDuration(lastHour.averageMs)),
            },
            { name: t('column.action'), end: true, cell: (kind) => <PauseButton kind={kind} /> },
          ]}
        />
      )}
    </Section>
  )
}

function PauseButton({ kind: { kind, pausedAt } }: { kind: JobKindSummary }) {
  const t = useText('durable-jobs')
  const name = useJobKind()(kind)
  const route = pausedAt ? durableJobsRoutes.resume : durableJobsRoutes.pause
  const toggle = useMutation({
    mutationFn: () => call(route, { params: { kind } }),
    onSettled: () => refresh(durableJobsRoutes.summary),
    onError: (error: Error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Button
      size="small"
      busy={toggle.isPending}
      onClick={() => toggle.mutate()}
      aria-label={pausedAt ? t('resumeOf', { kind: name }) : t('pauseOf', { kind: name })}
    >
      {pausedAt ? t('resume') : t('pause')}
    </Button>
  )
}

const count = (value: number): string => (value === 0 ? '–' : formatNumber(value))

const quietKind = (kind: string): JobKindSummary => ({
  kind,
  pausedAt: null,
  queued: 0,
  due: 0,
  oldestDueAt: null,
  running: 0,
  failed: 0,
  lastHour: { succeeded: 0, failed: 0, retried: 0, cancelled: 0, interrupted: 0, averageMs: null },
})
