import { type ToolServerHealth, toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { factSeparator, formatAgo, formatDateTime } from '../../../lib/format.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { useText } from 'virtual:words/tool-servers'

const tones = { ok: 'ok', failed: 'danger', waiting: 'warn', unknown: 'plain' } as const

/** How the last contact ended, on one's own behalf; asking for it asks no server. */
const useHealth = (id: string) => useQuery({ ...queryOf(routes.serverHealth, { params: { id } }), staleTime: 10_000 })

export function HealthBadge({ id }: { id: string }) {
  const t = useText('tool-servers')
  const { data } = useHealth(id)
  if (!data) return null
  return (
    <span title={data.checkedAt ? formatDateTime(data.checkedAt) : undefined} className="inline-flex">
      <Badge tone={tones[data.state]}>{t(`health.${data.state}`)}</Badge>
    </span>
  )
}

/** Why it failed, and when it is asked again. */
export function HealthProblem({ id }: { id: string }) {
  const t = useText('tool-servers')
  const { data } = useHealth(id)
  if (!data?.problem || data.state === 'ok') return null
  return (
    <p className="mt-1 text-sm text-danger-ink">
      <bdi>{data.problem}</bdi>
      {data.retryAt && <span className="text-muted"> {t('retryAt', { when: formatAgo(data.retryAt) })}</span>}
    </p>
  )
}

/** All that is known of it, in a sentence. */
export function HealthFacts({ id }: { id: string }) {
  const health = useHealth(id)
  return (
    <QueryView query={health} lines={1}>
      {(data) => (
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <HealthBadge id={id} />
            <Facts health={data} />
          </p>
          <HealthProblem id={id} />
        </>
      )}
    </QueryView>
  )
}

function Facts({ health: { checkedAt, revision } }: { health: ToolServerHealth }) {
  const t = useText('tool-servers')
  const facts = [checkedAt && t('checked', { when: formatAgo(checkedAt) }), revision && t('revision', { revision })]
  return facts.filter(Boolean).join(factSeparator())
}
