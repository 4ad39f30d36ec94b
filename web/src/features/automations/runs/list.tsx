import { automationsRoutes } from '@atrium/contract/automations'
import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { pagesOf } from '../../../api/pages.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/automations'
import { RunRow } from './row.tsx'

/** Runs, newest first; of one automation, or of all. `names`: what automations are called, where that is to be said. */
export function RunList({ automationId, names }: { automationId?: string; names?: ReadonlyMap<string, string> }) {
  const t = useText('automations')
  const pages = useInfiniteQuery(
    pagesOf(automationsRoutes.runs, {
      query: automationId === undefined ? { limit: 50 } : { limit: 20, automationId },
    }),
  )
  return (
    <PagedList
      pages={pages}
      label={t('tab.runs')}
      failed={t('runsFailed')}
      empty={
        <EmptyState icon={<History />} title={t('noRuns')}>
          {t('noRunsText')}
        </EmptyState>
      }
    >
      {(pages.data ?? []).map((run) => (
        <RunRow key={run.id} run={run} name={names?.get(run.automationId) ?? null} />
      ))}
    </PagedList>
  )
}
