import type { AutomationContent } from '@atrium/contract/automations'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/automations'
import { fromLocalInput, toLocalInput } from '../drafts.ts'
import { TypedInput } from './typed-input.tsx'

const missed = ['once', 'skip', 'all'] as const
const overlap = ['skip', 'queue', 'cancel', 'parallel'] as const
const notify = ['results', 'failures', 'off'] as const

/** What happens when something is in the way, and what its owner is told of. */
export function Policies({
  content,
  onChange,
}: {
  content: AutomationContent
  onChange: (values: Partial<AutomationContent>) => void
}) {
  const t = useText('automations')
  return (
    <div className="mt-2 grid gap-4 tab:grid-cols-2">
      <Choice
        label={t('missed')}
        name="missed"
        values={missed}
        value={content.missed}
        onChange={(value) => onChange({ missed: value })}
      />
      <Choice
        label={t('overlap')}
        name="overlap"
        values={overlap}
        value={content.overlap}
        onChange={(value) => onChange({ overlap: value })}
      />
      <Field label={t('retries')} hint={t('retriesHint')}>
        <Select
          className="w-full"
          value={String(content.retries)}
          onChange={(retries) => onChange({ retries: Number(retries) })}
          options={[0, 1, 2, 3, 4, 5].map((count) => ({ value: String(count), label: t('retryCount', { count }) }))}
        />
      </Field>
      <Field label={t('timeout')}>
        <Select
          className="w-full"
          value={String(content.timeoutMinutes)}
          onChange={(minutes) => onChange({ timeoutMinutes: Number(minutes) })}
          options={[...new Set([5, 15, 30, 60, 120, 240, content.timeoutMinutes])]
            .toSorted((a, b) => a - b)
            .map((count) => ({ value: String(count), label: t('minuteCount', { count }) }))}
        />
      </Field>
      <Moment label={t('startsAt')} value={content.startsAt} onChange={(startsAt) => onChange({ startsAt })} />
      <Moment label={t('endsAt')} value={content.endsAt} onChange={(endsAt) => onChange({ endsAt })} />
      <Field label={t('mostRuns')} hint={t('mostRunsHint')}>
        <TypedInput
          type="number"
          min={1}
          max={1_000_000}
          value={String(content.mostRuns ?? '')}
          onText={(text) => {
            const count = Math.round(Number(text))
            onChange({ mostRuns: count >= 1 ? Math.min(count, 1_000_000) : null })
          }}
        />
      </Field>
      <Amount
        label={t('mostRunCost')}
        hint={t('mostRunCostHint')}
        value={content.mostRunCost}
        onChange={(mostRunCost) => onChange({ mostRunCost })}
      />
      <Amount
        label={t('mostMonthCost')}
        hint={t('mostMonthHint')}
        value={content.mostMonthCost}
        onChange={(mostMonthCost) => onChange({ mostMonthCost })}
      />
      <Field label={t('mostMonthMinutes')} hint={t('mostMonthHint')}>
        <TypedInput
          type="number"
          min={1}
          max={44_640}
          value={String(content.mostMonthMinutes ?? '')}
          onText={(text) => {
            const minutes = Math.round(Number(text))
            onChange({ mostMonthMinutes: minutes >= 1 ? Math.min(minutes, 44_640) : null })
          }}
        />
      </Field>
      <Choice
        label={t('notify')}
        name="notify"
        values={notify}
        value={content.notify}
        onChange={(value) => onChange({ notify: value })}
      />
    </div>
  )
}

/** An amount of the currency of the instance, as a decimal number. */
function Amount({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint: string
  value: string | null
  onChange: (value: string | null) => void
}) {
  return (
    <Field label={label} hint={hint}>
      <TypedInput
        type="number"
        min={0}
        step="any"
        value={value ?? ''}
        onText={(text) => {
          if (text === '') onChange(null)
          else if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) onChange(text)
        }}
      />
    </Field>
  )
}

function Choice<V extends string>({
  label,
  name,
  values,
  value,
  onChange,
}: {
  label: string
  name: string
  values: readonly V[]
  value: V
  onChange: (value: V) => void
}) {
  const t = useText('automations')
  return (
    <Field label={label}>
      <Select
        className="w-full"
        value={value}
        onChange={onChange}
        options={values.map((one) => ({ value: one, label: t(`${name}Choice.${one}`) }))}
      />
    </Field>
  )
}

function Moment({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (value: string | null) => void
}) {
  return (
    <Field label={label}>
      <TypedInput
        type="datetime-local"
        value={value === null ? '' : toLocalInput(value)}
        onText={(text) => onChange(fromLocalInput(text))}
      />
    </Field>
  )
}
