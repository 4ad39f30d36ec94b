import { connectionsRoutes } from '@atrium/contract/connections'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleOff, Power, RefreshCw, TriangleAlert } from 'lucide-react'
import { useIsAdmin } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FeatureAccessRow } from '../../../blocks/feature-access/feature-access-row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group, Row } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { RuntimeModels } from './models.tsx'
import { PullModel } from './pull.tsx'
import { useText } from 'virtual:words/local-runtime'

const accessQuery = { ...queryOf(localRuntimeRoutes.pullAccess), staleTime: 30_000 }

/** The local runtime: all of it for administrators, and downloads for everybody where they are allowed. */
export function LocalRuntimeSection() {
  const t = useText('local-runtime')
  const admin = useIsAdmin()
  const access = useQuery(accessQuery)
  const settings = useQuery(queryOf(localRuntimeRoutes.settings))
  if (!admin && !(access.data?.allowed && settings.data?.enabled)) return null
  return (
    <section id="runtime" className="-mx-3 mt-9 rounded-lg px-3">
      {admin ? (
        <Group title={t('entry.runtime')} text={t('runtimeText')}>
          <Management />
        </Group>
      ) : (
        <Group title={t('memberTitle')} text={t('memberText')}>
          <PullModel />
        </Group>
      )}
    </section>
  )
}

function Management() {
  const t = useText('local-runtime')
  const settings = useQuery(queryOf(localRuntimeRoutes.settings))
  // Gives the address as the server understood it, for the field to show.
  const store = async (body: { enabled?: boolean; baseUrl?: string }) => {
    const { baseUrl } = await saveInTurn(localRuntimeRoutes.settings, () =>
      call(localRuntimeRoutes.updateSettings, { body }),
    )
    await Promise.all([
      refresh(localRuntimeRoutes.health),
      refresh(localRuntimeRoutes.models),
      refresh(localRuntimeRoutes.running),
    ])
    void refresh(connectionsRoutes.models)
    return baseUrl
  }
  return (
    <QueryView query={settings}>
      {(runtime) => (
        <>
          <SwitchRow
            id="runtime-enabled"
            label={t('enabled')}
            source={
              runtime.locked && (
                <Badge tone="info">{t('setting-row:source.environment', { variable: 'OLLAMA_BASE_URL' })}</Badge>
              )
            }
            value={runtime.enabled}
            disabled={runtime.locked}
            onSave={(enabled) => store({ enabled })}
          />
          {runtime.locked ? (
            <Row id="runtime-address" label={t('address')}>
              {() => (
                <code dir="ltr" className="text-sm">
                  {runtime.baseUrl}
                </code>
              )}
            </Row>
          ) : (
            <TextRow
              id="runtime-address"
              label={t('address')}
              help={t('addressHelp')}
              value={runtime.baseUrl}
              inputMode="url"
              ltr
              maxLength={500}
              onSave={(baseUrl) => store({ baseUrl: baseUrl.trim() })}
            />
          )}
          <FeatureAccessRow
            feature="model-downloads"
            id="runtime-access"
            label={t('access')}
            help={() => t('accessHelp')}
          />
          {runtime.enabled ? (
            <Health baseUrl={runtime.baseUrl} />
          ) : (
            <EmptyState icon={<Power />} title={t('off')} className="py-6">
              {t('offText')}
            </EmptyState>
          )}
        </>
      )}
    </QueryView>
  )
}

function Health({ baseUrl }: { baseUrl: string }) {
  const t = useText('local-runtime')
  const health = useQuery({ ...queryOf(localRuntimeRoutes.health), staleTime: 10_000 })
  const status = health.data?.status
  return (
    <>
      <Row id="runtime-health" label={t('health')}>
        {() => (
          <span className="flex items-center gap-2">
            {status === 'healthy' && (
              <Badge tone="ok" icon={<CircleCheck />}>
                {t('healthy', { version: health.data?.version ?? '' })}
              </Badge>
            )}
            {status === 'unreachable' && (
              <Badge tone="warn" icon={<TriangleAlert />}>
                {t('unreachable')}
              </Badge>
            )}
            {status === 'disabled' && <Badge icon={<CircleOff />}>{t('disabled')}</Badge>}
            <IconButton
              label={t('check')}
              icon={<RefreshCw />}
              size="small"
              disabled={health.isFetching}
              onClick={() => void health.refetch()}
            />
          </span>
        )}
      </Row>
      {status === 'unreachable' && (
        <ErrorCard
          title={t('unreachableTitle', { address: baseUrl })}
          onRetry={() => void health.refetch()}
          className="my-3"
        >
          {health.data?.detail}
        </ErrorCard>
      )}
      {status === 'healthy' && (
        <>
          <PullModel />
          <RuntimeModels />
        </>
      )}
    </>
  )
}
