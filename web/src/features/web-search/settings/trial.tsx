import { webSearchRoutes } from '@atrium/contract/web-search'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { savesDone, savesOf } from '../../../api/saves.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/web-search'

/** Asks the engine something small, and says what came. */
export function Trial({ available }: { available: boolean }) {
  const t = useText('web-search')
  const trial = useMutation({
    mutationFn: async () => {
      // What was changed just now is to be tried, and not what stood there before.
      await savesDone(savesOf(webSearchRoutes.config))
      return await call(webSearchRoutes.test, {})
    },
  })
  const { data } = trial
  return (
    <Row id="test" label={t('test')} help={t('testHelp')} stacked>
      {() => (
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={!available} busy={trial.isPending} onClick={() => trial.mutate()}>
            {t('test')}
          </Button>
          <p role="status" className="m-0 min-w-0 flex-1 text-sm">
            {trial.isPending && <span className="text-muted">{t('testing')}</span>}
            {data?.ok && (
              <span className="text-ok-ink">
                {t('works', { count: data.results, time: formatDuration(data.durationMs), title: data.first?.title })}
              </span>
            )}
            {data && !data.ok && (
              <span className="text-danger-ink">
                {t('fails')} {data.detail}
              </span>
            )}
            {trial.isError && <span className="text-danger-ink">{wordsOf(trial.error)}</span>}
          </p>
        </div>
      )}
    </Row>
  )
}
