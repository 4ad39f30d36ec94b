import { CalendarPlus } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { i18n } from '../../lib/texts.ts'
import { useText } from 'virtual:words/tool-calls'
import { isRecord, parseValue } from './parse.ts'

/** The event that a model proposes, as its person would see it. Nothing of it is written before that person says yes. */
export function ProposedEvent({ text }: { text: string }) {
  const t = useText('tool-calls')
  const given = parseValue(text)
  if (!isRecord(given)) return null
  const { title, start, end, place, repeat } = given
  if (typeof title !== 'string' || typeof start !== 'string') return null
  const times = typeof end === 'string' && end !== start ? sayTimes(start, end) : sayTime(start)
  return (
    <div className="mx-3 mt-2.5 flex items-start gap-2.5 rounded-md border-s-3 border-accent-line bg-accent-soft/50 px-3 py-2">
      <CalendarPlus aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
      <div className="min-w-0">
        <p dir="auto" className="font-medium wrap-anywhere">
          {title}
        </p>
        <p className="text-sm">{times}</p>
        {typeof place === 'string' && place !== '' && (
          <p dir="auto" className="text-sm text-muted wrap-anywhere">
            {place}
          </p>
        )}
        {typeof repeat === 'string' && repeat !== '' && <p className="text-sm text-muted">{t('eventRepeats')}</p>}
      </div>
    </div>
  )
}

/** From one to the other; what both have in common is said once. */
function sayTimes(start: string, end: string): string {
  const [from, to] = [wallOf(start), wallOf(end)]
  if (from === null || to === null || to < from || (start.length === 10) !== (end.length === 10))
    return `${sayTime(start)} – ${sayTime(end)}`
  return new Intl.DateTimeFormat(i18n.language, lookOf(start)).formatRange(from, to)
}

/** A day, a time of the clock where the person is, or an instant; what is none of them, as it was written. */
function sayTime(text: string): string {
  if (/(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return Number.isNaN(Date.parse(text)) ? text : formatDateTime(text)
  const wall = wallOf(text)
  return wall === null ? text : new Intl.DateTimeFormat(i18n.language, lookOf(text)).format(wall)
}

/** A day or a time of the clock, as if it were of UTC; null where it is none of them. */
function wallOf(text: string): number | null {
  if (/(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return null
  const wall = Date.parse(text.length === 10 ? text : `${text}Z`)
  return Number.isNaN(wall) ? null : wall
}

function lookOf(text: string): Intl.DateTimeFormatOptions {
  const day = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return text.length === 10 ? day : Object.assign({ hour: 'numeric', minute: '2-digit' } as const, day)
}
