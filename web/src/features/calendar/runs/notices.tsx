import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import type { RunLayer } from './use-runs.ts'
import { useText } from 'virtual:words/calendar'

/** Why runs are missing from the calendar, where they are. */
export function RunNotices({ runs: { error, truncated, retry } }: { runs: RunLayer }) {
  const t = useText('calendar')
  return (
    <>
      {error && (
        <ErrorCard className="m-3" title={t('runsNotLoaded')} details={detailsOf(error)} onRetry={retry}>
          {wordsOf(error)}
        </ErrorCard>
      )}
      {truncated && <p className="px-3 py-2 text-sm text-warn-ink">{t('runsTruncated')}</p>}
    </>
  )
}
