import { mailRoutes, type MailTrialStep } from '@atrium/contract/mail'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatDuration } from '../../../lib/format.ts'
import { savesDone, savesOf } from '../../../api/saves.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Row } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/mail'

/** Goes through the steps of sending a mail, and says of each how it went. */
export function Trial({ configured, recipient }: { configured: boolean; recipient: string | null }) {
  const t = useText('mail')
  const [to, setTo] = useState(recipient ?? '')
  const trial = useMutation({
    mutationFn: async () => {
      // What was changed just now is to be tried, and not what stood there before.
      await savesDone(savesOf(mailRoutes.settings))
      return await call(mailRoutes.test, { body: to.trim() === '' ? {} : { to: to.trim() } })
    },
  })
  const { data } = trial
  const failed = data?.steps.find(({ state }) => state === 'failed')
  function run(event: FormEvent) {
    event.preventDefault()
    trial.mutate()
  }
  return (
    <Row id="test" label={t('test')} help={t('testHelp')} stacked>
      {() => (
        <>
          <form onSubmit={run} className="flex flex-wrap items-end gap-3">
            <Field label={t('testTo')} className="w-64 max-w-full">
              <Input
                type="email"
                autoComplete="email"
                dir="ltr"
                maxLength={254}
                value={to}
                onChange={(event) => setTo(event.target.value)}
              />
            </Field>
            <Button type="submit" disabled={!configured} busy={trial.isPending}>
              {t('testRun')}
            </Button>
          </form>
          <p role="status" className="mt-3 text-sm empty:hidden">
            {trial.isPending && <span className="text-muted">{t('testing')}</span>}
            {data?.ok && (
              <span className="text-ok-ink">{data.sentTo ? t('works', { to: data.sentTo }) : t('worksWithout')}</span>
            )}
            {failed && <span className="text-danger-ink">{t('fails', { step: t(`step.${failed.step}`) })}</span>}
            {trial.isError && <span className="text-danger-ink">{wordsOf(trial.error)}</span>}
          </p>
          {data && (
            <ol aria-label={t('test')} className="mt-3 divide-y divide-line rounded-xl border border-line bg-raised">
              {data.steps.map((step) => (
                <Step key={step.step} {...step} />
              ))}
            </ol>
          )}
        </>
      )}
    </Row>
  )
}

const icons = { ok: CircleCheck, failed: CircleX, skipped: CircleMinus } as const
const colours = { ok: 'text-ok-ink', failed: 'text-danger-ink', skipped: 'text-muted' } as const

function Step({ step, state, detail, durationMs }: MailTrialStep) {
  const t = useText('mail')
  const Icon = icons[state]
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
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
