import type { ToolCallStatus, ToolDecider } from '@atrium/contract/generation'
import { toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { toolName } from '../../../blocks/tool-calls/tool-words.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/tools'

const statuses = ['awaiting_approval', 'running', 'succeeded', 'failed', 'denied', 'cancelled', 'unknown'] as const
const deciders = ['rules', 'person', 'standing'] as const satisfies readonly ToolDecider[]
const spans = [1, 7, 30] as const

/** What the history is narrowed to. */
export interface HistoryFilter {
  readonly toolId: string
  readonly serverId: string
  readonly status: ToolCallStatus | 'all'
  readonly decidedBy: ToolDecider | 'all'
  /** In days; the time from which on they count is set when they are chosen, so that pages follow one another. */
  readonly days: string
  readonly from: string | null
}

export const noFilter: HistoryFilter = {
  toolId: 'all',
  serverId: 'all',
  status: 'all',
  decidedBy: 'all',
  days: 'all',
  from: null,
}

/** As the route takes it. */
export const toQuery = ({ toolId, serverId, status, decidedBy, from }: HistoryFilter) => ({
  ...(toolId !== 'all' && { toolId }),
  ...(serverId !== 'all' && { serverId }),
  ...(status !== 'all' && { status }),
  ...(decidedBy !== 'all' && { decidedBy }),
  ...(from !== null && { from }),
})

/** Tools and servers that were called in the last year can be chosen. */
export function Filters({ filter, onChange }: { filter: HistoryFilter; onChange: (filter: HistoryFilter) => void }) {
  const t = useText('tools')
  const words = useToolWords('tool-calls')
  const used = useQuery({ ...queryOf(routes.usage, { query: { days: 365 } }), staleTime: 60_000 })
  const rows = used.data?.items ?? []
  const servers = new Map(
    rows.flatMap(({ serverId, serverName }) =>
      serverId === null ? [] : [[serverId, serverName ?? t('history.goneServer')] as const],
    ),
  )
  const tools = rows.filter(({ serverId }) => filter.serverId === 'all' || serverId === filter.serverId)
  const change = (next: Partial<HistoryFilter>) => {
    const changed = { ...filter, ...next }
    const isOpen = Object.values(toQuery(changed)).length === 0
    onChange(isOpen ? noFilter : changed)
  }
  const all = (label: string) => ({ value: 'all' as const, label })
  const chooseDays = (days: string) =>
    change({ days, from: days === 'all' ? null : new Date(Date.now() - Number(days) * 86_400_000).toISOString() })
  return (
    <div role="group" aria-label={t('history.filters')} className="flex flex-wrap gap-2">
      <Select
        aria-label={t('history.filter')}
        value={filter.status}
        onChange={(status) => change({ status })}
        options={(['all', ...statuses] as const).map((value) => ({ value, label: t(`history.status.${value}`) }))}
        className="w-44 max-w-full"
      />
      {servers.size > 0 && (
        <Select
          aria-label={t('history.server')}
          value={filter.serverId}
          onChange={(serverId) => change({ serverId, toolId: 'all' })}
          options={[all(t('history.allServers')), ...[...servers].map(([value, label]) => ({ value, label }))]}
          className="w-44 max-w-full"
        />
      )}
      <Select
        aria-label={t('history.tool')}
        value={filter.toolId}
        onChange={(toolId) => change({ toolId })}
        options={[
          all(t('history.allTools')),
          ...tools.map(({ toolId, toolName: name, source }) => ({
            value: toolId,
            label: toolName(words, { name: source === 'builtin' ? toolId.replace(/^builtin:/, '') : name, source }),
          })),
        ]}
        className="w-44 max-w-full"
      />
      <Select
        aria-label={t('history.decision')}
        value={filter.decidedBy}
        onChange={(decidedBy) => change({ decidedBy })}
        options={[
          all(t('history.allDecisions')),
          ...deciders.map((value) => ({ value, label: t(`history.decided.${value}`) })),
        ]}
        className="w-44 max-w-full"
      />
      <Select
        aria-label={t('history.time')}
        value={filter.days}
        onChange={chooseDays}
        options={[
          all(t('history.anyTime')),
          ...spans.map((count) => ({ value: String(count), label: t('history.days', { count }) })),
        ]}
        className="w-44 max-w-full"
      />
      {filter !== noFilter && <Button onClick={() => onChange(noFilter)}>{t('history.reset')}</Button>}
    </div>
  )
}
