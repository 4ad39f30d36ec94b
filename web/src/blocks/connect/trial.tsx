import { connectionsRoutes, type TestEvent, type TestStep } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { Circle, CircleCheck, CircleMinus, CircleSlash, CircleX, FlaskConical } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { readEvents } from '../../api/read-events.ts'
import { announce } from '../../lib/announce.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatDuration } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/connect'
import { noSteps, recordStep, announcementOf, stateOf, type StepState, stepNames } from './trial-steps.ts'

const icons = {
  waiting: Circle,
  ok: CircleCheck,
  failed: CircleX,
  skipped: CircleMinus,
  stopped: CircleSlash,
} as const
const colours = {
  waiting: 'text-faint',
  running: 'text-muted',
  ok: 'text-ok-ink',
  failed: 'text-danger-ink',
  skipped: 'text-muted',
  stopped: 'text-muted',
} as const

/** Tries a connection from end to end. `atOnce` begins without a click. */
export function Trial({ id, atOnce = false }: { id: string; atOnce?: boolean }) {
  return (
    <TrialSteps
      atOnce={atOnce}
      follow={(options) => readEvents(connectionsRoutes.test, { params: { id }, body: {} }, options)}
    />
  )
}

export interface TrialOptions {
  signal: AbortSignal
  onEvents: (events: TestEvent[]) => void
  isLast: (event: TestEvent) => boolean
}

/** Tries something and tells each step when it is done; nothing is told that was not tried. */
export function TrialSteps({
  follow,
  atOnce = false,
}: {
  /** Begins it, and resolves with its last event. */
  follow: (options: TrialOptions) => Promise<void>
  atOnce?: boolean
}) {
  const t = useText('connect')
  const running = useRef<AbortController | null>(null)
  const [known, setKnown] = useState(noSteps)
  const test = useMutation({
    mutationFn: async () => {
      const abort = new AbortController()
      running.current = abort
      setKnown(noSteps)
      await follow({
        signal: abort.signal,
        isLast,
        onEvents(events) {
          if (abort.signal.aborted) return
          setKnown((before) => events.reduce(recordStep, before))
          const words = announcementOf(t, events)
          if (words) announce(words)
        },
      })
    },
    onError: () => announce(running.current?.signal.aborted ? t('test.cancelled') : t('test.notRun')),
  })
  const begin = useEffectEvent(() => test.mutate())
  useEffect(() => {
    if (atOnce) begin()
    // Whoever leaves the page wants no more of it.
    return () => running.current?.abort()
  }, [atOnce])
  const stopped = test.isError && running.current?.signal.aborted
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<FlaskConical className="size-4" />} busy={test.isPending} onClick={() => test.mutate()}>
          {test.isSuccess || test.isError ? t('test.again') : t('test.run')}
        </Button>
        {test.isPending && (
          <Button tone="quiet" size="small" onClick={() => running.current?.abort()}>
            {t('test.stop')}
          </Button>
        )}
        <p className="min-w-0 flex-1 text-sm text-muted">{stopped ? t('test.cancelled') : t('test.cost')}</p>
      </div>
      {test.isError && !stopped && (
        <ErrorCard title={t('test.notRun')} details={detailsOf(test.error)} className="mt-3">
          {wordsOf(test.error)}
        </ErrorCard>
      )}
      {(test.isPending || known.size > 0) && (
        <ol className="mt-3 divide-y divide-line rounded-xl border border-line bg-raised" aria-label={t('test.title')}>
          {stepNames.map((step) => (
            <Step key={step} step={step} {...stateOf(known, step, test.isPending)} />
          ))}
        </ol>
      )}
    </div>
  )
}

const isLast = (event: TestEvent) => event.type === 'ended'

function Step({ step, state, found }: { step: TestStep['step']; state: StepState; found: TestStep | null }) {
  const t = useText('connect')
  const Icon = state === 'running' ? null : icons[state]
  return (
    <li className="flex min-h-14 items-start gap-3 px-4 py-2.5">
      <span className="grid h-5.5 w-4 place-items-center">
        {Icon ? (
          <Icon aria-hidden className={classNames('size-4 shrink-0', colours[state])} />
        ) : (
          <Spinner size={14} className="text-accent-ink" />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="font-medium">{t(`test.step.${step}`)}</span>{' '}
        <span className={classNames('text-sm', state === 'waiting' ? 'text-muted' : colours[state])}>
          {t(`test.${state}`)}
        </span>
        {found?.detail && (
          <span dir="auto" className="block text-start text-sm break-words text-muted">
            {found.detail}
          </span>
        )}
      </span>
      {found && found.state !== 'skipped' && (
        <span className="shrink-0 text-sm text-muted tabular-nums">{formatDuration(found.ms)}</span>
      )}
    </li>
  )
}
