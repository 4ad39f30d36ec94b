import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { Link } from '@tanstack/react-router'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { formatAgo, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Unread } from './facts.tsx'

type Counts = NonNullable<InstanceReport['jobs']>[number]

/** Jobs by their kind: what is due and since when, what runs, what failed. */
export function JobsSection({ jobs }: { jobs: readonly Counts[] | null }) {
  const t = useText('system-diagnostics')
  const nameOf = useJobKind()
  const count = (value: number) => (value === 0 ? '–' : formatNumber(value))
  return (
    <Section
      title={t('jobs.title')}
      actions={
        <Button asChild size="small">
          <Link to={links.settings('jobs')}>{t('jobs.all')}</Link>
        </Button>
      }
    >
      {jobs === null ? (
        <Unread>{t('unread')}</Unread>
      ) : jobs.length === 0 ? (
        <Unread>{t('jobs.none')}</Unread>
      ) : (
        <DataTable
          label={t('jobs.title')}
          rows={jobs}
          keyOf={({ kind }) => kind}
          columns={[
            {
              name: t('jobs.kind'),
              rowHead: true,
              cell: ({ kind, pausedAt }) => (
                <>
                  {nameOf(kind)} {pausedAt && <Badge tone="warn">{t('jobs.paused')}</Badge>}
                </>
              ),
            },
            { name: t('jobs.due'), end: true, cell: ({ due }) => count(due) },
            {
              name: t('jobs.oldest'),
              end: true,
              cell: ({ oldestDueAt }) =>
                oldestDueAt === null ? '–' : <span title={formatDateTime(oldestDueAt)}>{formatAgo(oldestDueAt)}</span>,
            },
            { name: t('jobs.queued'), end: true, cell: ({ queued }) => count(queued) },
            { name: t('jobs.running'), end: true, cell: ({ running }) => count(running) },
            {
              name: t('jobs.failed'),
              end: true,
              cell: ({ failed }) =>
                failed === 0 ? '–' : <span className="text-danger-ink">{formatNumber(failed)}</span>,
            },
          ]}
        />
      )}
    </Section>
  )
}
