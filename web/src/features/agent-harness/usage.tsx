import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/query.ts'
import { QueryView } from '../../blocks/setting-row/query-view.tsx'
import { formatNumber } from '../../lib/format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Section } from '../../ui/section.tsx'
import { useLastKnown } from './connection.tsx'
import { useText } from 'virtual:words/agent-harness'

/** What the daemon used: in all, by model, and in its own words. */
export function UsageTab() {
  const t = useText('agent-harness')
  const query = useQuery({ ...queryOf(agentHarnessRoutes.usage, { query: { limit: 1000 } }), staleTime: 0 })
  const known = useLastKnown()
  return (
    <QueryView
      query={{ ...query, data: query.data ?? known?.usage ?? undefined }}
      title={t('usage.notLoaded')}
      lines={6}
    >
      {({ summary, text }) =>
        summary.requests === 0 ? (
          <EmptyState title={t('usage.none')} />
        ) : (
          <>
            <p>
              {t('usage.sum', {
                requests: formatNumber(summary.requests),
                input: formatNumber(summary.inputTokens),
                output: formatNumber(summary.outputTokens),
              })}
            </p>
            {(['byModel', 'bySurface'] as const).map((part) => (
              <Section key={part} title={t(`usage.${part}`)}>
                <DataTable
                  label={t(`usage.${part}`)}
                  rows={summary[part]}
                  keyOf={({ name }) => name}
                  columns={[
                    { name: t('usage.name'), rowHead: true, cell: ({ name }) => <bdi dir="ltr">{name}</bdi> },
                    { name: t('usage.requests'), end: true, cell: ({ requests }) => formatNumber(requests) },
                    { name: t('usage.input'), end: true, cell: ({ inputTokens }) => formatNumber(inputTokens) },
                    { name: t('usage.output'), end: true, cell: ({ outputTokens }) => formatNumber(outputTokens) },
                    {
                      name: t('usage.cost'),
                      end: true,
                      cell: ({ cost }) => (cost === null ? '–' : formatNumber(cost, { maximumFractionDigits: 4 })),
                    },
                  ]}
                />
              </Section>
            ))}
            {text && (
              <Section title={t('usage.report')}>
                <pre dir="ltr" className="overflow-x-auto rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap">
                  {text}
                </pre>
              </Section>
            )}
          </>
        )
      }
    </QueryView>
  )
}
