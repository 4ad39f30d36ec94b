import { documentsRoutes, type EmbeddingSettings } from '@atrium/contract/documents'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { saveSettings } from './store.ts'
import { useText } from 'virtual:words/documents-settings'

/** Finding by meaning beside words: whether, by which model, and how far that is. */
export function Meaning({ settings }: { settings: EmbeddingSettings }) {
  const t = useText('documents-settings')
  return (
    <>
      <SwitchRow
        id="hybrid"
        label={t('hybrid.label')}
        help={t('hybrid.help')}
        value={settings.enabled}
        onSave={(enabled) => saveSettings({ enabled })}
      />
      <ModelRow settings={settings} />
      {settings.enabled && <Status />}
    </>
  )
}

const valueOf = (model: { providerId: string; model: string }) => JSON.stringify([model.providerId, model.model])

function ModelRow({ settings }: { settings: EmbeddingSettings }) {
  const t = useText('documents-settings')
  const models = useQuery({ ...queryOf(documentsRoutes.embeddingModels), staleTime: 30_000 })
  const { saving, save } = useSave()
  const current = valueOf(settings)
  const options = (models.data?.items ?? []).map((model) => ({
    value: valueOf(model),
    label: `${model.model} · ${model.providerName}`,
  }))
  // What is chosen is never replaced in silence.
  if (!options.some(({ value }) => value === current))
    options.unshift({
      value: current,
      label: models.isSuccess ? t('model.gone', { model: settings.model }) : settings.model,
    })
  return (
    <Row
      id="embeddingModel"
      label={t('model.label')}
      help={
        models.isError ? wordsOf(models.error) : models.data?.items.length === 0 ? t('model.none') : t('model.help')
      }
      saving={saving}
    >
      {(names) => (
        <Select
          {...names}
          className="w-64 max-w-full"
          value={current}
          options={options}
          onChange={(value) => {
            const [providerId = '', model = ''] = JSON.parse(value) as string[]
            void save(() => saveSettings({ providerId, model }))
          }}
        />
      )}
    </Row>
  )
}

function Status() {
  const t = useText('documents-settings')
  const status = useQuery({
    ...queryOf(documentsRoutes.embeddingsStatus),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.jobId ? 2000 : 15_000),
  })
  const again = useMutation({
    mutationFn: () => call(documentsRoutes.regenerateEmbeddings),
    onSuccess: () => refresh(documentsRoutes.embeddingsStatus),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  if (!status.data) return null
  const { available, detail, chunksWithEmbeddings: done, totalChunks: all, jobId } = status.data
  const { documentsPending, documentsFailed } = status.data
  return (
    <Row id="embeddingStatus" label={t('status.label')} stacked>
      {() => (
        <div className="flex flex-col gap-2">
          {!available && (
            <p role="status" className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-warn-ink">
              <TriangleAlert aria-hidden className="mt-0.75 size-4 shrink-0" />
              {detail ?? t('status.unavailable')}
            </p>
          )}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <div className="min-w-52 flex-1">
              <p className="mb-1 tabular-nums" aria-live="polite">
                {t('status.done', { done: formatNumber(done), all: formatNumber(all) })}
              </p>
              <Progress label={t('status.label')} share={all > 0 ? done / all : 1} className="w-full" />
            </div>
            <Button
              icon={<RefreshCw className="size-4" />}
              busy={again.isPending || jobId !== null}
              disabled={!available}
              onClick={() => again.mutate()}
            >
              {jobId ? t('status.running') : t('status.regenerate')}
            </Button>
          </div>
          <p className="text-sm text-muted">
            {[
              documentsPending > 0 && t('status.pending', { count: documentsPending }),
              documentsFailed > 0 && t('status.failed', { count: documentsFailed }),
              documentsPending + documentsFailed === 0 && all > 0 && done >= all && t('status.whole'),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        </div>
      )}
    </Row>
  )
}
