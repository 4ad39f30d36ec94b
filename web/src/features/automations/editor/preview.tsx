import { type AutomationContent, automationsRoutes } from '@atrium/contract/automations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useText } from 'virtual:words/automations'
import { useOwnTime } from '../own-time.ts'
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
          <li key={index}>{triggerWords(trigger, t, own)}</li>
        ))}
      </ul>
      {preview.data && triggers.some(({ kind }) => kind !== 'event') && (
        <p className="mt-1">
          {preview.data.next.length === 0
            ? t('never')
            : t('nextTimes', { times: preview.data.next.map((time) => formatDateTime(time)).join(' · ') })}
        </p>
      )}
    </div>
  )
}
