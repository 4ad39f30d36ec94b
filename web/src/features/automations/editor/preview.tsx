import { type AutomationContent, automationsRoutes, type Trigger } from '@atrium/contract/automations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { factSeparator, formatDateTime } from '../../../lib/format.ts'
import { useText } from 'virtual:words/automations'
import { type ReaderWords, useOwnTime } from '../own-time.ts'
import { triggerWords } from '../trigger-words.ts'

/** What the triggers say in words, and the next times at which they start a run, as the server sees it. */
export function Preview({ content }: { content: AutomationContent }) {
  const t = useText('automations')
  const own = useOwnTime()
  const { triggers, startsAt, endsAt } = useDeferredValue(content)
  const body = { triggers, startsAt, endsAt }
  const preview = useQuery({
    queryKey: [automationsRoutes.preview.path, body],
    queryFn: ({ signal }) => call(automationsRoutes.preview, { body }, { signal }),
    enabled: triggers.length > 0,
    placeholderData: keepPreviousData,
  })
  if (triggers.length === 0) return null
  if (preview.error)
    return (
      <p role="alert" className="text-sm text-danger-ink">
        {wordsOf(preview.error)}
      </p>
    )
  return (
    <div className="min-h-10 text-sm text-muted" aria-live="polite">
      <ul className="wrap-anywhere">
        {triggers.map((trigger, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- triggers have no names of their own
          <li key={index}>
            {triggerWords(trigger, t, own)}
            <InItsZone trigger={trigger} times={preview.data?.triggers[index]?.next ?? []} own={own} />
          </li>
        ))}
      </ul>
      {preview.data && triggers.some(({ kind }) => kind !== 'event') && (
        <p className="mt-1">
          {preview.data.next.length === 0
            ? t('never')
            : t('nextTimes', { times: preview.data.next.map((time) => formatDateTime(time)).join(factSeparator()) })}
        </p>
      )}
    </div>
  )
}

/** The next times as the clocks of a trigger's zone show them, where these are not the reader's. */
function InItsZone({ trigger, times, own }: { trigger: Trigger; times: readonly string[]; own: ReaderWords }) {
  const t = useText('automations')
  if (!('timeZone' in trigger) || trigger.timeZone === own.zone || times.length === 0) return null
  const shown = times.map((time) => timeInZone(time, trigger.timeZone, own.language))
  return <span className="block ps-4">{t('thereTimes', { times: shown.join(factSeparator()) })}</span>
}

const timeInZone = (time: string, timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(time))
