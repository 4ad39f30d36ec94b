import type { BackupTrial, BackupTrialStep } from '@atrium/contract/recovery-backup'
import { CircleAlert, CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import { wordsOf } from '../../../api/errors.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatDuration, formatSize } from '../../../lib/format.ts'
import { useText } from 'virtual:words/recovery-backup'

/** How the steps of a test went, and where it stopped. */
export function Trial({
  name,
  pending,
  data,
  error,
}: {
  name: string
  pending: boolean
  data: BackupTrial | undefined
  error: Error | null
}) {
  const t = useText('recovery-backup')
  const failed = data?.steps.find(({ state }) => state === 'failed')
  const free = data?.space ? formatSize(data.space.freeBytes) : null
  return (
    <>
      <p role="status" className="mt-2 text-sm empty:hidden">
        {pending && <span className="text-muted">{t('testing')}</span>}
        {!pending && data?.ok && (
          <span className="text-ok-ink">{free === null ? t('works') : t('worksWithSpace', { free })}</span>
        )}
        {!pending && failed && (
          <span className="text-danger-ink">{t('fails', { step: t(`step.${failed.step}`) })}</span>
        )}
        {!pending && error && <span className="text-danger-ink">{wordsOf(error)}</span>}
      </p>
      {!pending && data && (
        <ol
          aria-label={t('testOf', { name })}
          className="mt-2 divide-y divide-line rounded-xl border border-line bg-raised"
        >
          {data.steps.map((step) => (
            <Step key={step.step} {...step} />
          ))}
        </ol>
      )}
    </>
  )
}

const icons = { ok: CircleCheck, warning: CircleAlert, failed: CircleX, skipped: CircleMinus } as const
const colours = {
  ok: 'text-ok-ink',
  warning: 'text-warn-ink',
  failed: 'text-danger-ink',
  skipped: 'text-muted',
} as const

function Step({ step, state, detail, durationMs }: BackupTrialStep) {
  const t = useText('recovery-backup')
  const Icon = icons[state]
  return (
    <li className="flex items-start gap-3 px-4 py-2">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', colours[state])} />
      <span className="min-w-0 flex-1">
        <span className="font-medium">{t(`step.${step}`)}</span>{' '}
        <span className={classNames('text-sm', colours[state])}>{t(`state.${state}`)}</span>
        {detail && (
          <span dir="auto" className="block text-start text-sm break-words text-muted">
            {detail}
          </span>
        )}
      </span>
      {state !== 'skipped' && (
        <span className="shrink-0 text-sm text-muted tabular-nums">{formatDuration(durationMs)}</span>
      )}
    </li>
  )
}
