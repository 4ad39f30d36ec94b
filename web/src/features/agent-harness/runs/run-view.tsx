import { agentHarnessRoutes, type HarnessRun, type HarnessRunDetails } from '@atrium/contract/agent-harness'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatDateTime, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useStatus } from '../connection.tsx'
import { isOpen, RunStateBadge } from '../state-badge.tsx'
import { TimelineList } from './timeline-list.tsx'
import { useTimeline } from './use-events.ts'
import { useText } from 'virtual:words/agent-harness'

/** One run: what it is, what it does, and what it has written. */
export function RunView({ runId }: { runId: string }) {
  const t = useText('agent-harness')
  const params = { id: runId }
  const query = useQuery({
    ...queryOf(agentHarnessRoutes.readRun, { params }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isOpen(data.run.state) ? 3000 : false),
  })
  const {
    timeline: { entries },
    isBroken,
    error,
  } = useTimeline(runId)
  const status = useStatus().data
  const known = status?.lastKnown?.runs?.find((run) => run.runId === runId)
  const data = query.data ?? (known && detailsOfKnown(known))
  /** What is said of it holds now. */
  const isCurrent = query.data !== undefined && status?.connected !== false
  const cancel = useMutation({
    mutationFn: () => call(agentHarnessRoutes.cancelRun, { params }),
    onError: (failed) => toast(wordsOf(failed), { tone: 'danger' }),
    onSettled: () => void refresh(agentHarnessRoutes.readRun, { params }),
  })
  return (
    <section aria-label={t('run.title')} className="min-w-0">
      <QueryView query={{ ...query, data }} title={t('run.notLoaded')} lines={3}>
        {({ run, pendingPermissions, pendingQuestions, artifacts }) => (
          <>
            <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
              <h2 className="min-w-0 flex-1 basis-60 text-lg font-semibold break-words">
                <bdi>{run.title || run.runId}</bdi>
              </h2>
              <RunStateBadge state={run.state} />
              {isOpen(run.state) && isCurrent && (
                <Button
                  size="small"
                  icon={<Square className="size-3.5" />}
                  busy={cancel.isPending}
                  disabled={cancel.data?.active}
                  onClick={() => cancel.mutate()}
                >
                  {t(cancel.data?.active ? 'run.ending' : 'run.cancel')}
                </Button>
              )}
            </div>
            <p className="mt-1 text-sm break-words text-muted">
              {t(`kind.${run.kind}`)}
              {' · '}
              <bdi dir="ltr">{[run.provider, run.model].filter(Boolean).join(' / ')}</bdi>
              {run.createdAt && ` · ${formatDateTime(run.createdAt)}`}
              {run.workingDirectory && (
                <>
                  {' · '}
                  <bdi dir="ltr">{run.workingDirectory}</bdi>
                </>
              )}
            </p>
            {pendingQuestions.length > 0 && (
              <p role="status" className="mt-3 rounded-lg border border-line bg-warn-soft px-3.5 py-2.5">
                {t('run.question')}
                {pendingQuestions
                  .flatMap(({ questions }) => questions)
                  .map((question) => (
                    <bdi key={question} className="mt-1 block font-medium">
                      {question}
                    </bdi>
                  ))}
              </p>
            )}
            {isCurrent && run.state === 'blocked' && pendingPermissions.length + pendingQuestions.length === 0 && (
              <p role="status" className="mt-3 rounded-lg border border-line bg-warn-soft px-3.5 py-2.5">
                {t('run.blocked')}
              </p>
            )}
            <TimelineList entries={entries} />
            {entries.length === 0 && !isOpen(run.state) && isCurrent && !isBroken && (
              <p className="mt-4 text-muted">{t('run.nothing')}</p>
            )}
            {isBroken && (
              <p role="status" className="mt-3 text-sm text-muted">
                {t('run.broken')}
              </p>
            )}
            {isOpen(run.state) && run.state !== 'blocked' && isCurrent && !isBroken && (
              <p className="mt-3 flex items-center gap-2 text-sm text-muted">
                <Spinner size={14} />
                {t('run.working')}
              </p>
            )}
            {artifacts.some(({ exists }) => exists) && (
              <section aria-label={t('run.artifacts')} className="mt-6">
                <h3 className="text-sm font-semibold">{t('run.artifacts')}</h3>
                <ul className="mt-1 flex flex-wrap gap-2 text-sm">
                  {artifacts
                    .filter(({ exists }) => exists)
                    .map(({ name, sizeBytes }) => (
                      <li key={name} className="rounded-md border border-line bg-sunken px-2 py-1">
                        <code>{name}</code> <span className="text-muted">{formatSize(sizeBytes)}</span>
                      </li>
                    ))}
                </ul>
                {run.path && (
                  <p className="mt-1 text-sm break-words text-muted">
                    {t('run.at')} <bdi dir="ltr">{run.path}</bdi>
                  </p>
                )}
              </section>
            )}
          </>
        )}
      </QueryView>
      {error !== null && (
        <ErrorCard className="mt-4" title={t('run.lost')} details={detailsOf(error)}>
          {wordsOf(error)}
        </ErrorCard>
      )}
    </section>
  )
}

/** Of a run that was seen in the list, while the daemon is away. */
const detailsOfKnown = (run: HarnessRun): HarnessRunDetails => ({
  run,
  active: false,
  pendingPermissions: [],
  pendingQuestions: [],
  artifacts: [],
})
