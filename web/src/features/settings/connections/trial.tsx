import { modelManagement, type TestStep } from '@atrium/contract/model-management'
import { useMutation } from '@tanstack/react-query'
import { Circle, CircleCheck, CircleMinus, CircleX, FlaskConical } from 'lucide-react'
import { useRef } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { announce } from '../../../lib/announce.ts'
import { cx } from '../../../lib/cx.ts'
import { number } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from './texts.ts'

const steps = ['resolve', 'reach', 'authorise', 'models', 'chat'] as const
const icons = { ok: CircleCheck, failed: CircleX, skipped: CircleMinus } as const
const colours = { ok: 'text-ok-ink', failed: 'text-danger-ink', skipped: 'text-muted' } as const

/** Tries a connection from end to end and tells of each step what it found; nothing is told that was not tried. */
export function Trial({ id }: { id: string }) {
  const t = useText('connections')
  const running = useRef<AbortController | null>(null)
  const test = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return call(modelManagement.test, { params: { id }, body: {} }, { signal: running.current.signal })
    },
    onSuccess: ({ steps: found }) => {
      const failed = found.find((step) => step.state === 'failed')
      announce(failed ? `${t(`test.step.${failed.step}`)}: ${t('test.failed')}. ${failed.detail}` : t('test.allGood'))
    },
  })
  const stopped = test.isError && running.current?.signal.aborted
  const found = new Map<string, TestStep>(test.data?.steps.map((step) => [step.step, step]))
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<FlaskConical className="size-4" />} busy={test.isPending} onClick={() => test.mutate()}>
          {test.data || test.isError ? t('test.again') : t('test.run')}
        </Button>
        {test.isPending && (
          <Button tone="quiet" size="small" onClick={() => running.current?.abort()}>
            {t('test.stop')}
          </Button>
        )}
        <p className="min-w-0 flex-1 text-sm text-muted">{stopped ? t('test.stopped') : t('test.cost')}</p>
      </div>
      {test.isError && !stopped && (
        <ErrorCard title={t('test.notRun')} details={detailsOf(test.error)} className="mt-3">
          {wordsOf(test.error)}
        </ErrorCard>
      )}
      {(test.isPending || test.data) && (
        <ol className="mt-3 divide-y divide-line rounded-xl border border-line bg-raised" aria-label={t('test.title')}>
          {steps.map((step) => (
            <Step key={step} step={step} found={test.isPending ? undefined : found.get(step)} busy={test.isPending} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Step({ step, found, busy }: { step: TestStep['step']; found: TestStep | undefined; busy: boolean }) {
  const t = useText('connections')
  const Icon = found ? icons[found.state] : Circle
  return (
    <li className="flex min-h-14 items-start gap-3 px-4 py-2.5">
      <span className="grid h-5.5 w-4 place-items-center">
        {busy && step === 'resolve' ? (
          <Spinner size={14} label={t('test.running')} />
        ) : (
          <Icon aria-hidden className={cx('size-4 shrink-0', found ? colours[found.state] : 'text-faint')} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="font-medium">{t(`test.step.${step}`)}</span>{' '}
        <span className={cx('text-sm', found ? colours[found.state] : 'text-muted')}>
          {found ? t(`test.${found.state}`) : t('test.waiting')}
        </span>
        {found?.detail && (
          <span dir="auto" className="block text-start text-sm break-words text-muted">
            {found.detail}
          </span>
        )}
      </span>
      {found && found.state !== 'skipped' && (
        <span className="shrink-0 text-sm text-muted tabular-nums">{duration(found.ms)}</span>
      )}
    </li>
  )
}

const duration = (ms: number): string =>
  ms < 1000
    ? number(ms, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' })
    : number(ms / 1000, { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 })
