import { auditRoutes } from '@atrium/contract/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { pagesOf } from '../../../api/pages.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Chain } from './chain.tsx'
import { Entry } from './entry.tsx'
import { Filters } from './filters.tsx'
import { type AuditFilter, toQuery } from './filter.ts'
import { Retention } from './retention.tsx'
import { useText } from 'virtual:words/audit'

const everything: AuditFilter = { kind: 'all', result: 'all', span: 'week', actor: null, text: '' }

/** What was done that matters for safety. */
export function Audit() {
  const t = useText('audit')
  const [choice, setChoice] = useState<AuditFilter>(everything)
  const sought = useDeferredValue(choice)
  const query = useMemo(
    () => toQuery(sought, Date.now(), (action) => t(`action.${action.replaceAll('.', '_')}`)),
    [sought, t],
  )
  const pages = useInfiniteQuery({
    ...pagesOf(auditRoutes.list, { query: { ...query, limit: 50 } }),
    staleTime: 0,
  })
  const events = pages.data ?? []
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <section id="events" aria-label={t('events')} className="-mx-3 mt-5 rounded-lg px-3">
        <Filters choice={choice} query={query} onChange={setChoice} />
        <QueryView query={pages} title={t('notLoaded')} lines={8}>
          {() =>
            events.length === 0 && !pages.hasNextPage ? (
              <EmptyState
                icon={<ScrollText />}
                title={t('none')}
                action={<Button onClick={() => setChoice({ ...everything, span: 'all' })}>{t('showAll')}</Button>}
              >
                {t('noneText')}
              </EmptyState>
            ) : (
              <ul className="mt-3">
                {events.map((event) => (
                  <Entry key={event.id} event={event} onActor={(actor) => setChoice({ ...choice, actor })} />
                ))}
              </ul>
            )
          }
        </QueryView>
        <MoreButton pages={pages} className="mt-3" />
      </section>
      <div className="mt-8">
        <Chain />
        <Retention />
      </div>
    </>
  )
}
