import { type ToolServerTestStep, toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { useMutation } from '@tanstack/react-query'
import { Circle, CircleCheck, CircleMinus, CircleX, FlaskConical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { readEvents } from '../../../api/read-events.ts'
import { announce } from '../../../lib/announce.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/tool-servers'

type StepName = ToolServerTestStep['step']
const stepNames: readonly StepName[] = ['resolve', 'reach', 'authorise', 'revision', 'tools', 'call']
type Known = Readonly<Partial<Record<StepName, ToolServerTestStep | 'running'>>>

/** Tries a server with one's own way into it, and tells each step when it is done. */
export function ServerTrial({ id }: { id: string }) {
  const t = useText('tool-servers')
  const running = useRef<AbortController | null>(null)
  const [known, setKnown] = useState<Known>({})
  const trial = useMutation({
    mutationFn: async () => {
      const abort = new AbortController()
      running.current = abort
      setKnown({})
      const steps: Partial<Record<StepName, ToolServerTestStep | 'running'>> = {}
      await readEvents(
        routes.testServer,
        { params: { id } },
        {
          signal: abort.signal,
          isLast: (event) => event.type === 'ended',
          onEvents(events) {
            for (const event of events) {
              if (event.type === 'started') steps[event.data.step] = 'running'
              else for (const step of event.type === 'ended' ? event.data.steps : [event.data]) steps[step.step] = step
            }
            setKnown({ ...steps })
          },
        },
      )
      const isFine = Object.values(steps).every((step) => step === 'running' || step.state !== 'failed')
      announce(t(isFine ? 'trial.fine' : 'trial.notFine'))
    },
  })
  // Whoever leaves the page wants no more of it.
  useEffect(() => () => running.current?.abort(), [])
  const isStopped = trial.isError && running.current?.signal.aborted === true
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<FlaskConical className="size-4" />} busy={trial.isPending} onClick={() => trial.mutate()}>
          {t('trial.run')}
        </Button>
        {trial.isPending && (
          <Button tone="quiet" size="small" onClick={() => running.current?.abort()}>
            {t('trial.stop')}
          </Button>
        )}
        <p className="min-w-40 flex-1 text-sm text-muted">{t(isStopped ? 'trial.stopped' : 'trial.help')}</p>
      </div>
      {trial.isError && !isStopped && (
        <ErrorCard title={t('trial.notRun')} className="mt-3">
          {wordsOf(trial.error)}
        </ErrorCard>
      )}
      {Object.keys(known).length > 0 && (
        <ol aria-label={t('trial.title')} className="mt-3 divide-y divide-line rounded-xl border border-line bg-raised">
          {stepNames.map((step) => (
            <Step key={step} step={step} found={known[step]} />
          ))}
        </ol>
      )}
    </div>
  )
}

const icons = {
  ok: <CircleCheck aria-hidden className="size-4 text-ok-ink" />,
  failed: <CircleX aria-hidden className="size-4 text-danger-ink" />,
  skipped: <CircleMinus aria-hidden className="size-4 text-muted" />,
  waiting: <Circle aria-hidden className="size-4 text-faint" />,
}

function Step({ step, found }: { step: StepName; found: Known[StepName] }) {
  const t = useText('tool-servers')
  const isRunning = found === 'running'
  const done = found && !isRunning ? found : null
  const state = isRunning ? 'running' : (done?.state ?? 'waiting')
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <span className="grid h-5.5 w-4 shrink-0 place-items-center">
        {state === 'running' ? <Spinner size={14} /> : icons[state]}
      </span>
      <span className="min-w-0 flex-1">
        <span className="font-medium">{t(`trial.step.${step}`)}</span>{' '}
        <span className="text-sm text-muted">{t(`trial.state.${state}`)}</span>
        {done?.detail && (
          <span dir="auto" className="block text-start text-sm wrap-anywhere text-muted">
            {done.detail}
          </span>
        )}
      </span>
      {done && done.state !== 'skipped' && (
        <span className="shrink-0 text-sm text-muted tabular-nums">{formatDuration(done.ms)}</span>
      )}
    </li>
  )
}
