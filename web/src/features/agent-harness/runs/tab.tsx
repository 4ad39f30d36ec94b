import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatAgo, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useLastKnown } from '../connection.tsx'
import { harnessLink, type HarnessSearch } from '../search.ts'
import { isOpen, RunStateBadge } from '../state-badge.tsx'
import { RunView } from './run-view.tsx'
import { RunStarter } from './starter.tsx'
import { useText } from 'virtual:words/agent-harness'

const everyMs = 2000
/** Runs that begin elsewhere are seen as well. */
const quietMs = 10_000

/**
 * The newest runs, as many as the daemon tells of: one that waits for an answer has not changed for a while. Asked again
 * every two seconds while one of them is open.
 */
export const useRuns = () =>
  useQuery({
    ...queryOf(agentHarnessRoutes.runs, { query: { limit: 100 } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.items.some((run) => isOpen(run.state)) ? everyMs : quietMs),
  })

export function RunsTab() {
  const t = useText('agent-harness')
  const { run: open }: HarnessSearch = useSearch({ strict: false })
  const runs = useRuns()
  const lastKnown = useLastKnown()
  const [shown, setShown] = useState(30)
  const data = runs.data ?? (lastKnown?.runs ? { items: lastKnown.runs } : undefined)
  return (
    <div className="grid gap-x-8 gap-y-6 desk:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <div className="min-w-0">
        <RunStarter />
        <section aria-labelledby="harness-runs" className="mt-6">
          <h2 id="harness-runs" className="mb-2 text-md font-semibold">
            {t('runs.title')}
          </h2>
          <QueryView query={{ ...runs, data }} title={t('runs.notLoaded')} lines={6}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState icon={<Bot />} title={t('runs.none')}>
                  {t('runs.noneText')}
                </EmptyState>
              ) : (
                <ul className="flex flex-col gap-1.5">
                  {items.slice(0, shown).map((run) => (
                    <li key={run.runId}>
                      <Link
                        to={harnessLink({ run: run.runId })}
                        aria-current={run.runId === open ? 'true' : undefined}
                        className={classNames(
                          'block rounded-lg border px-3 py-2 hover:bg-hover',
                          run.runId === open ? 'border-accent-line bg-accent-soft' : 'border-line bg-raised',
                        )}
                      >
                        <span className="flex items-start gap-2">
                          <bdi className="min-w-0 flex-1 truncate font-medium">{run.title || run.runId}</bdi>
                          <RunStateBadge state={run.state} />
                        </span>
                        <span className="mt-0.5 block truncate text-sm text-muted">
                          {t(`kind.${run.kind}`)}
                          {run.model && (
                            <>
                              {' · '}
                              <bdi dir="ltr">{run.model}</bdi>
                            </>
                          )}
                          {run.updatedAt && (
                            <>
                              {' · '}
                              <time dateTime={run.updatedAt} title={formatDateTime(run.updatedAt)}>
                                {formatAgo(run.updatedAt)}
                              </time>
                            </>
                          )}
                        </span>
                      </Link>
                    </li>
                  ))}
                  {items.length > shown && (
                    <li>
                      <Button size="small" onClick={() => setShown(items.length)}>
                        {t('runs.more', { shown: formatNumber(items.length - shown) })}
                      </Button>
                    </li>
                  )}
                </ul>
              )
            }
          </QueryView>
        </section>
      </div>
      <div className="min-w-0 max-desk:order-first">{open && <RunView key={open} runId={open} />}</div>
    </div>
  )
}
