import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useIsAdmin } from '../../api/account.ts'
import { refresh } from '../../api/query.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AutomationsTab } from './automations/tab.tsx'
import { ConfigurationTab } from './configuration/tab.tsx'
import { AwayNotice, ConnectionBadge, useConnection } from './connection.tsx'
import { PendingPermissions } from './runs/pending.tsx'
import { RunsTab } from './runs/tab.tsx'
import { harnessLink, harnessTabs, type HarnessSearch, type HarnessTab } from './search.ts'
import { UsageTab } from './usage.tsx'
import { useText } from 'virtual:words/agent-harness'

/** For administrators alone: whoever stops being one is led away at once. */
export function HarnessPage() {
  const t = useText('agent-harness')
  useTitle(t('title'))
  const admin = useIsAdmin()
  return admin ? <Harness /> : <Navigate to={links.newChat()} replace />
}

const contents = {
  runs: RunsTab,
  automations: AutomationsTab,
  usage: UsageTab,
  configuration: ConfigurationTab,
} as const

function Harness() {
  const t = useText('agent-harness')
  const { tab = 'runs' }: HarnessSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const status = useConnection()
  // Nothing was ever heard of it: one notice says so, and no list fails below it.
  const unknown = status.data?.connected === false && status.data.lastKnown === null
  const renew = () => void Promise.all(Object.values(agentHarnessRoutes).map((route) => refresh(route)))
  return (
    <div className="h-full min-h-0 overflow-y-auto px-4 pt-5 tab:px-8">
      <div className="max-w-6xl pb-16">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
          <ConnectionBadge status={status.data} />
          <span className="flex-1" />
          <Button icon={<RefreshCw className="size-4" />} busy={status.isFetching && !status.isPending} onClick={renew}>
            {t('refresh')}
          </Button>
        </div>
        <p className="mt-1 text-sm text-muted">{t('about')}</p>
        <AwayNotice query={status} />
        <PendingPermissions />
        <Tabs
          className="mt-5"
          label={t('parts')}
          value={tab}
          onChange={(value) => void navigate({ to: harnessLink({ tab: value as HarnessTab }) })}
          tabs={harnessTabs.map((value) => {
            const Content = contents[value]
            const content =
              unknown && value !== 'configuration' ? <p className="text-muted">{t('whenConnected')}</p> : <Content />
            return { value, label: t(`tab.${value}`), content }
          })}
        />
      </div>
    </div>
  )
}
