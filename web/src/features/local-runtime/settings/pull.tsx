import { connectionsRoutes } from '@atrium/contract/connections'
import { durableJobsRoutes, type Job } from '@atrium/contract/durable-jobs'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { follow } from '../../../api/follow.ts'
import { refresh } from '../../../api/query.ts'
import { factSeparator, formatNumber, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { leaveTask, createsModel, pullsAll, useTasks, watchTask } from './tasks.ts'
import { useText } from 'virtual:words/local-runtime'

/** Downloads a model by its name; whatever the runtime works at goes on when the page closes, and is found again here. */
export function PullModel() {
  const t = useText('local-runtime')
  const [name, setName] = useState('')
  const tasks = useTasks()
  const pull = useMutation({
    mutationFn: (model: string) => call(localRuntimeRoutes.pull, { body: { name: model } }),
    onSuccess: (job) => {
      setName('')
      watchTask(job)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    pull.mutate(name.trim())
  }
  return (
    <div id="runtime-pull" className="border-b border-line py-3.5">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field label={t('pull')} hint={t('pullHelp')} className="min-w-52 flex-1">
          <Input
            dir="ltr"
            required
            maxLength={200}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            placeholder="llama3.2:3b"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button
          type="submit"
          busy={pull.isPending}
          disabled={!name.trim()}
          icon={<Download className="size-4" />}
          className="mb-[1.5rem]"
        >
          {t('download')}
        </Button>
      </form>
      {pull.isError && (
        <ErrorCard title={t('pullFailed')} className="mt-1">
          {wordsOf(pull.error)}
        </ErrorCard>
      )}
      {tasks.map((job) => (
        <Progress key={job.id} first={job} />
      ))}
    </div>
  )
}

function Progress({ first }: { first: Job }) {
  const t = useText('local-runtime')
  const [job, setJob] = useState(first)
  useEffect(() => {
    const gone = new AbortController()
    follow(
      durableJobsRoutes.events,
      { params: { id: first.id } },
      {
        signal: gone.signal,
        perFrame: true,
        isLast: (event) => event.type === 'ended',
        onEvents: (events) => {
          const last = events.at(-1)
          if (!last) return
          setJob(last.data)
          if (last.type === 'ended') finish(last.data)
        },
      },
    ).catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
    function finish(ended: Job) {
      const name = ended.subject ?? ''
      const good = pullsAll(ended) ? t('updatedAll') : createsModel(ended) ? t('made', { name }) : t('pulled', { name })
      if (ended.state === 'succeeded') toast(good)
      if (ended.state === 'failed') {
        const bad = createsModel(ended) ? t('makeFailed') : t('pullFailed')
        toast(`${bad} ${ended.failure?.detail ?? ''}`, { tone: 'danger', ms: 15_000 })
      }
      leaveTask(ended.id)
      void refresh(localRuntimeRoutes.models)
      void refresh(connectionsRoutes.models)
    }
    return () => gone.abort()
  }, [first.id, t])
  const cancel = useMutation({
    mutationFn: () => call(durableJobsRoutes.cancel, { params: { id: first.id } }),
    onSuccess: setJob,
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const { current = 0, total = null, message = null } = job.progress ?? {}
  const share = total ? Math.min(1, current / total) : null
  const name = job.subject ?? ''
  const title = pullsAll(job) ? t('updatingAll') : createsModel(job) ? t('making', { name }) : name
  const figures = pullsAll(job)
    ? `${formatNumber(current)} / ${formatNumber(total ?? 0)}`
    : `${formatSize(current)} / ${formatSize(total ?? 0)}`
  return (
    <div className="mt-3 rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {title}
          </span>
          <span className="text-sm text-muted">
            {job.cancelRequested
              ? t('stopping')
              : total
                ? [figures, formatNumber(share ?? 0, { style: 'percent' }), pullsAll(job) && message]
                    .filter(Boolean)
                    .join(factSeparator())
                : (message ?? t('waiting'))}
          </span>
        </p>
        <Button size="small" busy={cancel.isPending} disabled={job.cancelRequested} onClick={() => cancel.mutate()}>
          {t('cancel')}
        </Button>
      </div>
      <progress
        aria-label={pullsAll(job) ? title : t('progress', { name })}
        className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hover [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
        max={1}
        value={share ?? undefined}
      />
    </div>
  )
}
