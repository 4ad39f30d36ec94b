import type { MediaJob } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, RotateCcw, Square, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isActiveJob, resumableFailures } from '../../../blocks/media-models.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/media-gallery-make'
import { readSeen, unseenFailures, writeSeen } from './failures.ts'
import { jobsQuery, lookAfter, resumeJob, stopJob } from './make.ts'

const pollMs = 30_000

/** Everything that is being made, on whichever device it was asked for, and what failed since one last looked. */
export function Jobs() {
  const t = useText('media-gallery-make')
  const { data } = useQuery({ ...jobsQuery, refetchInterval: pollMs })
  const [seen, setSeen] = useState(readSeen)
  const jobs = data?.items ?? []
  const active = jobs.filter(isActiveJob)
  const failed = unseenFailures(jobs, seen)
  const dismiss = ({ updatedAt }: MediaJob) => setSeen(writeSeen(updatedAt))
  return (
    <>
      {active.length > 0 && (
        <ul aria-label={t('active')} className="flex flex-col gap-2">
          {active.map((job) => (
            <ActiveJob key={job.id} job={job} />
          ))}
        </ul>
      )}
      {failed.length > 0 && (
        <ul aria-label={t('failedJobs')} className="flex flex-col gap-2">
          {failed.map((job) => (
            <FailedJob key={job.id} job={job} onDismiss={() => dismiss(job)} />
          ))}
        </ul>
      )}
    </>
  )
}

function ActiveJob({ job }: { job: MediaJob }) {
  const t = useText('media-gallery-make')
  const { kind, prompt, progress, cancellable, id } = job
  useEffect(() => {
    if (kind !== 'video') return
    const look = () => {
      // What went wrong is told with the job itself.
      lookAfter(job).catch(() => undefined)
    }
    const timer = setInterval(look, pollMs)
    return () => clearInterval(timer)
    // Another object of the same job would begin to wait anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id, kind])
  return (
    <li className="flex items-center gap-3 rounded-lg border border-line bg-raised px-3 py-2">
      <Spinner size={16} label={t('making')} />
      <p dir="auto" className="min-w-0 flex-1 truncate text-sm">
        {prompt}
      </p>
      <span className="text-sm whitespace-nowrap text-muted">
        {progress === null ? t(`kind.${kind}`) : formatNumber(progress, { style: 'percent' })}
      </span>
      {cancellable && <IconButton label={t('stop')} icon={<Square />} size="small" onClick={() => void stopJob(job)} />}
    </li>
  )
}

/** Why it failed; films that their provider may still have can be taken up. */
function FailedJob({ job, onDismiss }: { job: MediaJob; onDismiss: () => void }) {
  const t = useText('media-gallery-make')
  const { kind, prompt, error } = job
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-lg border border-danger-ink/35 bg-danger-soft px-3 py-2">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger-ink" />
      <p className="min-w-0 flex-1 text-sm">
        <span dir="auto" className="block truncate">
          {prompt}
        </span>
        <span className="text-danger-ink">{t(`failure.${error ?? 'interrupted'}`)}</span>
      </p>
      {kind === 'video' && error !== null && resumableFailures.has(error) && (
        <Button size="small" icon={<RotateCcw className="size-3.5" />} onClick={() => void resumeJob(job)}>
          {t('resume')}
        </Button>
      )}
      <IconButton label={t('dismiss')} icon={<X />} size="small" onClick={onDismiss} />
    </li>
  )
}
