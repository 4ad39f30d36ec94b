import { durableJobsRoutes, type InstanceJob } from '@atrium/contract/durable-jobs'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { refreshJobs } from './state.ts'
import { useText } from 'virtual:words/durable-jobs'

/** What an administrator may do with a job as it stands; the end of a job is asked about first. */
export function JobActions({ job, onDismissed }: { job: InstanceJob; onDismissed?: () => void }) {
  const t = useText('durable-jobs')
  const [asking, setAsking] = useState<'cancel' | 'dismiss' | null>(null)
  const params = { params: { id: job.id } }
  const settled = {
    onSettled: () => {
      setAsking(null)
      void refreshJobs()
    },
    onError: (error: Error) => toast(wordsOf(error), { tone: 'danger' }),
  }
  const retry = useMutation({ mutationFn: () => call(durableJobsRoutes.retry, params), ...settled })
  const run = useMutation({ mutationFn: () => call(durableJobsRoutes.run, params), ...settled })
  const end = useMutation({
    mutationFn: async (how: 'cancel' | 'dismiss') => {
      if (how === 'cancel') return void (await call(durableJobsRoutes.stop, params))
      await call(durableJobsRoutes.dismiss, params)
      onDismissed?.()
    },
    ...settled,
  })
  const kind = useJobKind()(job.kind)
  const whose = job.account ? (job.account.name ?? t('goneAccount')) : t('instance')
  return (
    <>
      {job.state === 'failed' && (
        <>
          <Button
            size="small"
            busy={retry.isPending}
            onClick={() => retry.mutate()}
            aria-label={t('retryOf', { kind })}
          >
            {t('retry')}
          </Button>
          <Button size="small" onClick={() => setAsking('dismiss')} aria-label={t('dismissOf', { kind })}>
            {t('dismiss')}
          </Button>
        </>
      )}
      {job.everyMs !== null && (
        <Button
          size="small"
          busy={run.isPending}
          disabled={job.state === 'running'}
          onClick={() => run.mutate()}
          aria-label={t('runOf', { kind })}
        >
          {t('run')}
        </Button>
      )}
      {job.finishedAt === null && job.everyMs === null && (
        <Button
          size="small"
          disabled={job.cancelRequested}
          onClick={() => setAsking('cancel')}
          aria-label={t('cancelOf', { kind })}
        >
          {t('cancel')}
        </Button>
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => setAsking(open ? asking : null)}
        title={asking === 'dismiss' ? t('dismissTitle') : t('cancelTitle')}
        confirm={asking === 'dismiss' ? t('dismissConfirm') : t('cancelConfirm')}
        danger
        busy={end.isPending}
        onConfirm={() => asking && end.mutate(asking)}
      >
        {asking === 'dismiss' ? t('dismissText', { kind, whose }) : t('cancelText', { kind, whose })}
      </ConfirmDialog>
    </>
  )
}
