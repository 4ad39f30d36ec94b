import { accessRoutes } from '@atrium/contract/access'
import { type AgentAccess, type AgentModel, agentCliRoutes } from '@atrium/contract/agent-cli'
import { connectionsRoutes } from '@atrium/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { Bot, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { factSeparator } from '../../../lib/format.ts'
import { useIsAdmin } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { FeatureAccessRow } from '../../../blocks/feature-access/feature-access-row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/agent-cli'

/** Whether agents on the server are offered and to whom, and which there are. For administrators alone. */
export function AgentsSection() {
  const t = useText('agent-cli')
  const admin = useIsAdmin()
  if (!admin) return null
  return (
    <section id="agents" className="-mx-3 mt-9 rounded-lg px-3">
      <Group title={t('entry.agents')} text={t('about')}>
        <Access />
      </Group>
    </section>
  )
}

const saveAccess = async (body: Partial<Omit<AgentAccess, 'lockedByEnv'>>) => {
  await saveInTurn(agentCliRoutes.access, () => call(agentCliRoutes.updateAccess, { body }))
  await refresh(agentCliRoutes.models)
  void refresh(connectionsRoutes.models)
  void refresh(accessRoutes.features)
}

function Access() {
  const t = useText('agent-cli')
  const access = useQuery(queryOf(agentCliRoutes.access))
  return (
    <QueryView query={access}>
      {({ enabled, lockedByEnv }) => (
        <>
          <SwitchRow
            id="agents-enabled"
            label={t('enabled')}
            help={t('enabledHelp')}
            source={lockedByEnv && <Badge tone="info">{t('fixed')}</Badge>}
            value={enabled}
            disabled={lockedByEnv}
            onSave={(on) => saveAccess({ enabled: on })}
          />
          {enabled && <FeatureAccessRow feature="agents" id="agents-audience" label={t('audience')} canBeOff={false} />}
          {enabled && <Installed />}
        </>
      )}
    </QueryView>
  )
}

const marks = {
  ready: { tone: 'ok', icon: <CircleCheck /> },
  unreachable: { tone: 'warn', icon: <TriangleAlert /> },
  'not-checked': { tone: 'plain', icon: <CircleDashed /> },
} as const

function Installed() {
  const t = useText('agent-cli')
  const found = useQuery({
    ...queryOf(agentCliRoutes.models),
    // A program that is being looked at answers within seconds.
    refetchInterval: ({ state }) => (state.data?.items.some(isBeingLookedAt) ? 1000 : false),
  })
  return (
    <QueryView query={found}>
      {({ items }) => {
        const agents = items.filter(({ id, agentId }) => id === agentId)
        if (agents.length === 0) {
          return (
            <EmptyState icon={<Bot />} title={t('none')} className="py-6">
              {t('noneHint')}
            </EmptyState>
          )
        }
        return (
          <ul aria-label={t('installed')}>
            {agents.map((agent) => (
              <Agent key={agent.id} agent={agent} />
            ))}
          </ul>
        )
      }}
    </QueryView>
  )
}

const isBeingLookedAt = ({ state }: AgentModel): boolean => state === 'not-checked'

function Agent({ agent }: { agent: AgentModel }) {
  const t = useText('agent-cli')
  const { tone, icon } = marks[agent.state]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-44 flex-1">
        <p className="font-medium">{agent.name}</p>
        <p dir="ltr" className="text-sm break-all text-muted rtl:text-end">
          {[agent.binaryPath, agent.version].filter(Boolean).join(factSeparator())}
        </p>
        <p className="text-sm text-muted">{t(`permissions.${agent.permissions}`)}</p>
      </div>
      <Badge tone={tone} icon={icon}>
        {t(`state.${agent.state}`)}
      </Badge>
    </li>
  )
}
