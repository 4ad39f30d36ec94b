import { localRuntime } from '@atrium/contract/local-runtime'
import { modelManagement } from '@atrium/contract/model-management'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleOff, RefreshCw, TriangleAlert } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { QueryView } from '../parts/query-view.tsx'
import { Row, useSave } from '../parts/row.tsx'
import { TextRow } from '../parts/text-row.tsx'
import { useText } from '../texts.ts'
import { PullModel } from './pull.tsx'
import { RuntimeModels } from './runtime-models.tsx'

/** The local runtime, for administrators: where it is, whether it answers, and what it holds. */
export function RuntimeCard() {
  const t = useText('settings')
  const settings = useQuery(queryOf(localRuntime.settings))
  const { saving, save } = useSave()
  const store = async (body: { enabled: boolean; baseUrl: string }) => {
    queryClient.setQueryData(keyOf(localRuntime.settings), await call(localRuntime.updateSettings, { body }))
    await Promise.all([refresh(localRuntime.health), refresh(localRuntime.models), refresh(localRuntime.running)])
    void refresh(modelManagement.models)
  }
  return (
    <QueryView query={settings}>
      {(runtime) => (
        <>
          <Row
            id="runtime-enabled"
            label={t('runtime.enabled')}
            saving={saving}
            source={
              runtime.locked && <Badge tone="info">{t('source.environment', { variable: 'OLLAMA_BASE_URL' })}</Badge>
            }
          >
            {(names) => (
              <Switch
                {...names}
                checked={runtime.enabled}
                disabled={runtime.locked}
                onChange={(enabled) => void save(() => store({ enabled, baseUrl: runtime.baseUrl }))}
              />
            )}
          </Row>
          {runtime.locked ? (
            <Row id="runtime-address" label={t('runtime.address')}>
              {() => (
                <code dir="ltr" className="text-sm">
                  {runtime.baseUrl}
                </code>
              )}
            </Row>
          ) : (
            <TextRow
              id="runtime-address"
              label={t('runtime.address')}
              help={t('runtime.addressHelp')}
              value={runtime.baseUrl}
              inputMode="url"
              ltr
              maxLength={500}
              onSave={(baseUrl) => store({ enabled: runtime.enabled, baseUrl: baseUrl.trim() })}
            />
          )}
          {runtime.enabled && <Health />}
        </>
      )}
    </QueryView>
  )
}

function Health() {
  const t = useText('settings')
  const health = useQuery({ ...queryOf(localRuntime.health), staleTime: 10_000 })
  const status = health.data?.status
  return (
    <>
      <Row id="runtime-health" label={t('runtime.health')} help={health.data?.detail}>
        {() => (
          <span className="flex items-center gap-2">
            {status === 'healthy' && (
              <Badge tone="ok" icon={<CircleCheck />}>
                {t('runtime.healthy', { version: health.data?.version ?? '' })}
              </Badge>
            )}
            {status === 'unreachable' && (
              <Badge tone="warn" icon={<TriangleAlert />}>
                {t('runtime.unreachable')}
              </Badge>
            )}
            {status === 'disabled' && <Badge icon={<CircleOff />}>{t('runtime.disabled')}</Badge>}
            <IconButton
              label={t('runtime.check')}
              icon={<RefreshCw />}
              size="small"
              disabled={health.isFetching}
              onClick={() => void health.refetch()}
            />
          </span>
        )}
      </Row>
      {status === 'healthy' && (
        <>
          <PullModel />
          <RuntimeModels />
        </>
      )}
    </>
  )
}
