import type { Trigger } from '@atrium/contract/automations'
import { X } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/automations'
import { fromLocalInput, newTrigger, toLocalInput, triggerKinds } from '../drafts.ts'
import { useOwnTime } from '../own-time.ts'
import { clockOf, monthName, weekdayName } from '../trigger-words.ts'
import { EventFields } from './event-fields.tsx'
import { TypedInput } from './typed-input.tsx'

interface Part {
  trigger: Trigger
  onChange: (trigger: Trigger) => void
}

/** One trigger: its kind, and what there is to say of it. */
export function TriggerField({ number, trigger, onChange, onRemove }: Part & { number: number; onRemove: () => void }) {
  const t = useText('automations')
  const { zone } = useOwnTime()
  return (
    <fieldset className="relative flex min-w-0 flex-wrap items-start gap-3 rounded-lg border border-line bg-raised p-3 tab:pe-14">
      <legend className="sr-only">{t('triggerNumber', { number: formatNumber(number) })}</legend>
      <Field label={t('kind')} className="min-w-36 max-tab:me-12 max-tab:basis-full">
        <Select
          className="w-full"
          value={trigger.kind}
          onChange={(kind) => onChange(newTrigger(kind, zone, trigger))}
          options={triggerKinds.map((kind) => ({ value: kind, label: t(`kindName.${kind}`) }))}
        />
      </Field>
      <Values trigger={trigger} onChange={onChange} />
      {'timeZone' in trigger && (
        <Field label={t('timeZone')} className="min-w-44 flex-1 max-tab:basis-full">
          <Zone value={trigger.timeZone} onChange={(timeZone) => onChange({ ...trigger, timeZone })} />
        </Field>
      )}
      <div className="absolute end-2 top-2">
        <IconButton label={t('removeTrigger', { number: formatNumber(number) })} icon={<X />} onClick={onRemove} />
      </div>
    </fieldset>
  )
}

function Values({ trigger, onChange }: Part) {
  const t = useText('automations')
  const { language } = useOwnTime()
  switch (trigger.kind) {
    case 'once':
      return (
        <Field label={t('at')}>
          <TypedInput
            type="datetime-local"
            value={toLocalInput(trigger.at)}
            onText={(text) => onChange({ ...trigger, at: fromLocalInput(text) ?? trigger.at })}
          />
        </Field>
      )
    case 'hourly':
      return (
        <>
          <NumberField
            label={t('minute')}
            value={trigger.minute}
            most={59}
            onChange={(minute) => onChange({ ...trigger, minute })}
          />
          <HourField
            label={t('fromHour')}
            value={trigger.startHour ?? 0}
            onChange={(startHour) => onChange({ ...trigger, startHour, endHour: trigger.endHour ?? 23 })}
          />
          <HourField
            label={t('toHour')}
            value={trigger.endHour ?? 23}
            onChange={(endHour) => onChange({ ...trigger, endHour, startHour: trigger.startHour ?? 0 })}
          />
        </>
      )
    case 'daily':
      return <ClockField trigger={trigger} onChange={onChange} />
    case 'weekly':
      return (
        <>
          <Field label={t('weekday')}>
            <Select
              value={String(trigger.dayOfWeek)}
              onChange={(day) => onChange({ ...trigger, dayOfWeek: Number(day) })}
              options={[1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdayName(day, language) }))}
            />
          </Field>
          <ClockField trigger={trigger} onChange={onChange} />
        </>
      )
    case 'monthly':
      return (
        <>
          <DayField trigger={trigger} onChange={onChange} />
          <ClockField trigger={trigger} onChange={onChange} />
        </>
      )
    case 'yearly':
      return (
        <>
          <Field label={t('month')}>
            <Select
              value={String(trigger.month)}
              onChange={(month) => onChange({ ...trigger, month: Number(month) })}
              options={Array.from({ length: 12 }, (_, index) => ({
                value: String(index + 1),
                label: monthName(index + 1, language),
              }))}
            />
          </Field>
          <DayField trigger={trigger} onChange={onChange} />
          <ClockField trigger={trigger} onChange={onChange} />
        </>
      )
    case 'event':
      return <EventFields trigger={trigger} onChange={onChange} />
    case 'interval':
      return (
        <NumberField
          label={t('minutes')}
          value={trigger.minutes}
          least={1}
          most={525_600}
          onChange={(minutes) => onChange({ ...trigger, minutes })}
        />
      )
    case 'cron':
      return (
        <Field label={t('cron')} hint={t('cronHint')} className="min-w-44 flex-1">
          <Input
            dir="ltr"
            className="font-mono"
            maxLength={200}
            value={trigger.expression}
            onChange={(event) => onChange({ ...trigger, expression: event.target.value })}
          />
        </Field>
      )
    case 'rule':
      return (
        <>
          <Field label={t('rule')} hint={t('ruleHint')} className="min-w-44 flex-1">
            <Input
              dir="ltr"
              className="font-mono"
              maxLength={500}
              value={trigger.rule}
              onChange={(event) => onChange({ ...trigger, rule: event.target.value })}
            />
          </Field>
          <Field label={t('firstAt')}>
            <TypedInput
              type="datetime-local"
              value={trigger.startLocal.slice(0, 16)}
              onText={(text) => text && onChange({ ...trigger, startLocal: text })}
            />
          </Field>
        </>
      )
  }
}

function ClockField({
  trigger,
  onChange,
}: {
  trigger: Extract<Trigger, { hour: number }>
  onChange: Part['onChange']
}) {
  const t = useText('automations')
  const two = (value: number) => String(value).padStart(2, '0')
  return (
    <Field label={t('time')}>
      <TypedInput
        type="time"
        value={`${two(trigger.hour)}:${two(trigger.minute)}`}
        onText={(text) => {
          const [hour, minute] = text.split(':').map(Number)
          if (hour !== undefined && minute !== undefined) onChange({ ...trigger, hour, minute })
        }}
      />
    </Field>
  )
}

function DayField({
  trigger,
  onChange,
}: {
  trigger: Extract<Trigger, { dayOfMonth: number }>
  onChange: Part['onChange']
}) {
  const t = useText('automations')
  return (
    <NumberField
      label={t('dayOfMonth')}
      value={trigger.dayOfMonth}
      least={1}
      most={31}
      onChange={(dayOfMonth) => onChange({ ...trigger, dayOfMonth })}
    />
  )
}

function HourField({ label, value, onChange }: { label: string; value: number; onChange: (hour: number) => void }) {
  const { language } = useOwnTime()
  return (
    <Field label={label}>
      <Select
        value={String(value)}
        onChange={(hour) => onChange(Number(hour))}
        options={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: clockOf(hour, 0, language) }))}
      />
    </Field>
  )
}

function NumberField({
  label,
  value,
  least = 0,
  most,
  onChange,
}: {
  label: string
  value: number
  least?: number
  most: number
  onChange: (value: number) => void
}) {
  return (
    <Field label={label} className="w-24">
      <TypedInput
        type="number"
        min={least}
        max={most}
        value={String(value)}
        onText={(text) => {
          const number = Math.round(Number(text))
          if (text !== '' && Number.isFinite(number)) onChange(Math.min(most, Math.max(least, number)))
        }}
      />
    </Field>
  )
}

function Zone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = [...new Set(['UTC', ...known, value])]
  return (
    <Select
      className="w-full"
      value={value}
      onChange={onChange}
      options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
    />
  )
}
