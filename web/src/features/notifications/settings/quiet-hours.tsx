import { useState } from 'react'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { i18n } from '../../../lib/texts.ts'
import { useText } from 'virtual:words/notifications-settings'
import { type GivenPreferences, ownZone, savePreferences } from './store.ts'

type Span = { from: string; to: string }
const usualSpan: Span = { from: '22:00', to: '07:00' }
/** A Monday, for the names of the days. */
const monday = Date.UTC(2026, 0, 5, 12)

/** The zone, and a span of each day. */
export function QuietHours({ preferences }: { preferences: GivenPreferences }) {
  const t = useText('notifications-settings')
  const { saving, save } = useSave()
  const { timeZone, quietHours } = preferences
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = [...new Set(['UTC', own, timeZone, ...Intl.supportedValuesOf('timeZone')])].sort()
  const days = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' })
  const change = (day: number, span: Span | null) => {
    const changed = quietHours.map((each, at) => (at === day ? span : each))
    return save(() => savePreferences({ quietHours: changed, ...ownZone(preferences) }))
  }
  return (
    <>
      <Row id="quiet-zone" label={t('zone')} saving={saving}>
        {(names) => (
          <Select
            {...names}
            value={timeZone}
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
            onChange={(zone) => void save(() => savePreferences({ timeZone: zone }))}
            className="w-56 max-w-full"
          />
        )}
      </Row>
      <ul>
        {quietHours.map((span, day) => (
          <Day
            // oxlint-disable-next-line react/no-array-index-key -- the index is the day
            key={`${day} ${span?.from} ${span?.to}`}
            name={days.format(monday + day * 24 * 3600_000)}
            span={span}
            onChange={(changed) => void change(day, changed)}
          />
        ))}
      </ul>
    </>
  )
}

function Day({ name, span, onChange }: { name: string; span: Span | null; onChange: (span: Span | null) => void }) {
  const t = useText('notifications-settings')
  const [{ from, to }, setTyped] = useState(span ?? usualSpan)
  const commit = () => {
    if (span && from && to && (from !== span.from || to !== span.to)) onChange({ from, to })
  }
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <label className="flex min-w-36 flex-1 items-center gap-2.5">
        <Checkbox checked={span !== null} onChange={(on) => onChange(on ? { from, to } : null)} />
        {name}
      </label>
      {span && (
        <span className="flex items-center gap-2">
          <Input
            type="time"
            aria-label={t('from', { day: name })}
            className="w-32"
            value={from}
            onChange={(event) => setTyped({ from: event.target.value, to })}
            onBlur={commit}
          />
          <span aria-hidden>–</span>
          <Input
            type="time"
            aria-label={t('to', { day: name })}
            className="w-32"
            value={to}
            onChange={(event) => setTyped({ from, to: event.target.value })}
            onBlur={commit}
          />
        </span>
      )}
    </li>
  )
}
