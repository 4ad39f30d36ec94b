import { recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/recovery-backup'

/** That this is a copy which does not act outside of itself, and the end of that. Nothing where it is none. */
export function Pause() {
  const t = useText('recovery-backup')
  const pause = useQuery(queryOf(routes.pause))
  const end = useMutation({
    mutationFn: () => call(routes.endPause, {}),
    onSuccess: () => Promise.all([refresh(routes.pause), refresh(routes.backupsState)]),
  })
  const since = pause.data?.since
  if (!since) return null
  return (
    <section
      id="pause"
      aria-label={t('paused')}
      className="mt-4 rounded-xl border border-warn-ink/40 bg-raised px-4 py-3"
    >
      <p className="font-medium">{t('paused')}</p>
      <p className="mt-0.5 text-sm text-muted">{t('pausedText', { time: formatDateTime(since) })}</p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button busy={end.isPending} onClick={() => end.mutate()}>
          {t('endPause')}
        </Button>
        {end.isError && (
          <p role="alert" className="text-sm text-danger-ink">
            {wordsOf(end.error)}
          </p>
        )}
      </div>
    </section>
  )
}
