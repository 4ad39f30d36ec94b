import { durableJobsRoutes, type Job } from '@atrium/contract/durable-jobs'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { refresh } from '../../../api/query.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { i18n } from '../../../lib/texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { progressEvery, stateOf, tones } from './state.ts'
import { useText } from 'virtual:words/durable-jobs'
import 'virtual:words/document-state'

onAccountEvent('job-changed', () => void refresh(durableJobsRoutes.list))

/** What runs for this person, newest first: how far it is, and to be cancelled or tried again. */
export function OwnActivity() {
  const t = useText('durable-jobs')
  const pages = useInfiniteQuery({
    ...pagesOf(durableJobsRoutes.list, { query: { limit: 30 } }),
    staleTime: 0,
    refetchInterval: ({ state }) => progressEvery(state.data?.pages.flatMap(({ items }) => items)),
  })
  const jobs = pages.data ?? []
  return (
    <>
      <p className="text-muted">{t('activityText')}</p>
      <section id="activity" aria-label={t('entry.activity')} className="mt-5">
        <QueryView query={pages} title={t('activityNotLoaded')} lines={6}>
          {() =>
            jobs.length === 0 ? (
              <EmptyState icon={<Activity />} title={t('activityNone')}>
                {t('activityNoneText')}
              </EmptyState>
            ) : (
              <ul>
                {jobs.map((job) => (
                  <OwnJob key={job.id} job={job} />
                ))}
              </ul>
            )
          }
        </QueryView>
        <MoreButton pages={pages} className="mt-3" />
      </section>
    </>
  )
}

function OwnJob({ job }: { job: Job }) {
  const t = useText('durable-jobs')
  const kind = useJobKind()(job.kind)
  const state = stateOf(job)
  const params = { params: { id: job.id } }
  const settled = {
    onSettled: () => refresh(durableJobsRoutes.list),
    onError: (error: Error) => toast(wordsOf(error), { tone: 'danger' }),
  }
  const cancel = useMutation({ mutationFn: () => call(durableJobsRoutes.cancel, params), ...settled })
  const retry = useMutation({ mutationFn: () => call(durableJobsRoutes.restart, params), ...settled })
  const when = job.finishedAt ?? job.startedAt ?? job.createdAt
  const { progress } = job
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
      <div className="min-w-0 flex-1 basis-56">
        <span className="font-medium">{kind}</span>{' '}
        {job.subject && <bdi className="text-muted wrap-anywhere">{job.subject}</bdi>}
        {job.failure && (
          <p className="text-sm text-muted" dir="auto">
            {failureWords(job.failure)}
          </p>
        )}
        {state === 'running' && progress && (
          <Progress
            label={t('progressOf', { kind })}
            share={progress.total ? progress.current / progress.total : null}
            className="mt-1.5 w-full max-w-80"
          />
        )}
      </div>
      <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
      <time dateTime={when} title={formatDateTime(when)} className="text-sm text-muted">
        {formatAgo(when)}
      </time>
      {job.state === 'failed' && (
        <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()} aria-label={t('retryOf', { kind })}>
          {t('retry')}
        </Button>
      )}
      {job.finishedAt === null && (
        <Button
          size="small"
          busy={cancel.isPending}
          disabled={job.cancelRequested}
          onClick={() => cancel.mutate()}
          aria-label={t('cancelOf', { kind })}
        >
          {t('cancel')}
        </Button>
      )}
    </li>
  )
}

/** The server says it in English; of documents, which most of these are about, there are words in every language. */
function failureWords({ code, detail }: { code: string; detail: string }): string {
  const key = `document-state:failure.${code.replace('document_', '')}`
  return i18n.language !== 'en' && i18n.exists(key) ? i18n.t(key) : detail
}
