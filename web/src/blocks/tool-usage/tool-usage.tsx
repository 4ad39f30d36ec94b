import { type ToolUsage, toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/query.ts'
import { formatDuration, formatNumber } from '../../lib/format.ts'
import { type TableColumn, DataTable } from '../../ui/data-table.tsx'
import { Section } from '../../ui/section.tsx'
import { ToolIcon, toolName } from '../tool-calls/tool-words.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/tool-usage'

/** How often each tool was called in the last days; nothing where none was. `all`: for all accounts, for administrators. */
export function ToolUsageTable({ days, all = false }: { days: number; all?: boolean }) {
  const t = useText('tool-usage')
  const words = useToolWords('tool-calls')
  const query = { days: Math.min(Math.max(days, 1), 365) }
  const usage = useQuery({
    ...queryOf(all ? routes.allUsage : routes.usage, { query }),
    placeholderData: (before) => before,
    staleTime: 15_000,
  })
  const rows = usage.data?.items ?? []
  if (rows.length === 0) return null
  const columns: readonly TableColumn<ToolUsage>[] = [
    {
      name: t('tool'),
      rowHead: true,
      cell: (row) => {
        const tool = {
          name: row.source === 'builtin' ? row.toolId.replace(/^builtin:/, '') : row.toolName,
          source: row.source,
        }
        return (
          <span className="flex items-start gap-2">
            <ToolIcon tool={tool} className="mt-0.5 size-4 shrink-0 text-muted" />
            <span className="min-w-0">
              <bdi className="wrap-anywhere">{toolName(words, tool)}</bdi>
              {row.source !== 'builtin' && (
                <span className="block text-xs text-muted">
                  <bdi>{row.serverName ?? t('otherServer')}</bdi>
                </span>
              )}
            </span>
          </span>
        )
      },
    },
    { name: t('calls'), end: true, cell: (row) => formatNumber(row.calls) },
    { name: t('failed'), end: true, cell: (row) => formatNumber(row.failed) },
    { name: t('average'), end: true, cell: (row) => (row.averageMs === null ? '–' : formatDuration(row.averageMs)) },
  ]
  const people: TableColumn<ToolUsage> = { name: t('people'), end: true, cell: (row) => formatNumber(row.accounts) }
  return (
    <Section id="tools" title={t('title')}>
      <DataTable
        label={t('title')}
        rows={rows}
        keyOf={({ toolId }) => toolId}
        columns={all ? [...columns, people] : columns}
      />
    </Section>
  )
}
