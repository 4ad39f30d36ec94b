import { automationsRoutes } from '@atrium/contract/automations'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryOf } from '../../../api/query.ts'
import { useTitle } from '../../../lib/title.ts'
import { useText } from 'virtual:words/automations'
import { markRunsSeen } from '../changes.ts'
import { ownZone } from '../own-time.ts'
import { Tabs } from '../tabs.tsx'
import { Bars } from './bars.tsx'
import { RunList } from './list.tsx'

/** `/automations/runs`: all runs, newest first, and how those of the last 30 days went. */
export function RunsPage() {
  const t = useText('automations')
  useTitle(t('tab.runs'))
  const automations = useQuery(queryOf(automationsRoutes.list))
  const summary = useQuery(queryOf(automationsRoutes.summary, { query: { timeZone: ownZone() } }))
  const names = new Map((automations.data?.items ?? []).map(({ id, name }) => [id, name]))
  const unseen = summary.data?.unseenCount ?? 0
  // They are seen once they are on screen: the marks stay for this visit, as what is loaded stays.
  useEffect(() => {
    if (unseen === 0 || document.visibilityState !== 'visible') return
    const timer = setTimeout(() => void markRunsSeen(), 3000)
    return () => clearTimeout(timer)
  }, [unseen])
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
        <Tabs shown="runs" />
        {summary.data && <Bars days={summary.data.days} />}
        <RunList names={names} />
      </div>
    </div>
  )
}
