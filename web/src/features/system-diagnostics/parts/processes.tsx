import type { InstanceProcess } from '@atrium/contract/system-diagnostics'
import { formatAgo, formatDateTime, formatDuration, formatNumber, formatSize } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'

const tones = { starting: 'info', ready: 'ok', leaving: 'warn' } as const

/** Every process of the instance that was heard in the last seconds. */
export function ProcessesSection({ processes }: { processes: readonly InstanceProcess[] }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('processes.title')}>
      <DataTable
        label={t('processes.title')}
        rows={processes}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('processes.name'),
            rowHead: true,
            cell: ({ host, pid, isThis }) => (
              <>
                <bdi dir="ltr">
                  {host} · {pid}
                </bdi>
                {isThis && <span className="block text-xs text-muted">{t('processes.isThis')}</span>}
              </>
            ),
          },
          {
            name: t('processes.phaseName'),
            cell: ({ phase }) => <Badge tone={tones[phase]}>{t(`processes.phase.${phase}`)}</Badge>,
          },
          { name: t('process.version'), cell: ({ version }) => version },
          {
            name: t('processes.since'),
            end: true,
            cell: ({ startedAt }) => <span title={formatDateTime(startedAt)}>{formatAgo(startedAt)}</span>,
          },
          { name: t('processes.cpu'), end: true, cell: ({ cpuCores }) => formatCores(cpuCores) },
          {
            name: t('processes.delay'),
            end: true,
            cell: ({ loopDelayMs, loopDelayMaxMs }) => (
              <>
                {formatDuration(loopDelayMs)}
                <span className="block text-xs text-muted">
                  {t('processes.worst', { time: formatDuration(loopDelayMaxMs) })}
                </span>
              </>
            ),
          },
          { name: t('memory.title'), end: true, cell: ({ rssBytes }) => formatSize(rssBytes) },
          { name: t('processes.streams'), end: true, cell: ({ streams }) => formatNumber(streams) },
          { name: t('processes.answers'), end: true, cell: ({ answers }) => formatNumber(answers) },
        ]}
      />
    </Section>
  )
}

export const formatCores = (cores: number): string => formatNumber(cores, { maximumFractionDigits: 2 })
