import { type Automation, automationsRoutes } from '@atrium/contract/automations'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Workflow, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/automations'
import { RemoveDialog } from './remove-dialog.tsx'
import { AutomationRow } from './row.tsx'
import { Tabs } from './tabs.tsx'
import { Templates } from './templates.tsx'

/** `/automations`: the own ones, by name. */
export function AutomationsPage() {
  const t = useText('automations')
  useTitle(t('title'))
  const heading = useRef<HTMLHeadingElement>(null)
  const [removed, setRemoved] = useState<Automation | null>(null)
  const list = useQuery(queryOf(automationsRoutes.list))
  const items = list.data?.items ?? []
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header className="flex flex-wrap items-center gap-3">
          <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-xl font-semibold tracking-tight outline-none">
            {t('title')}
          </h1>
          <Button tone="primary" icon={<Plus className="size-4" />} asChild>
            <Link to={links.automation('new')}>{t('new')}</Link>
          </Button>
        </header>
        <Tabs shown="automations" />
        {list.isPending && <Skeleton lines={5} />}
        {list.error && (
          <ErrorCard title={t('failed')} details={detailsOf(list.error)} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {items.length > 0 && (
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
            {items.map((automation) => (
              <AutomationRow key={automation.id} automation={automation} onRemove={() => setRemoved(automation)} />
            ))}
          </ul>
        )}
        {list.isSuccess && items.length === 0 && (
          <>
            <EmptyState icon={<Workflow />} title={t('none')}>
              {t('noneText')}
            </EmptyState>
            <Templates />
          </>
        )}
      </div>
      {removed && (
        <RemoveDialog
          automation={removed}
          onClose={() => setRemoved(null)}
          // The menu that had the focus is gone.
          onRemoved={() => heading.current?.focus()}
        />
      )}
    </div>
  )
}
