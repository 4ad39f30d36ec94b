import type { MediaJob } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { useEffect } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/media-gallery-make'
import { activeJobsQuery, lookAfter, stopJob } from './make.ts'

const pollMs = 30_000

/** Everything that is being made, on whichever device it was asked for. */
export function ActiveJobs() {
  const t = useText('media-gallery-make')
  const { data } = useQuery({ ...activeJobsQuery, refetchInterval: pollMs })
  const jobs = data?.items ?? []
  if (jobs.length === 0) return null
  return (
    <ul aria-label={t('active')} className="flex flex-col gap-2">
      {jobs.map((job) => (
        <ActiveJob key={job.id} job={job} />
      ))}
    </ul>
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
