import { type FoundRuntime, connectionsRoutes } from '@atrium/contract/connections'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { mediaMakingRoutes } from '@atrium/contract/media-gallery'
import { speechRoutes } from '@atrium/contract/speech'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Cpu, RotateCw } from 'lucide-react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/connect'

/** Servers that answer on this server’s machine, each one click away. Says so when there is none. */
export function FoundRuntimes({ onConnected }: { onConnected?: () => void }) {
  const t = useText('connect')
  const found = useQuery({ ...queryOf(connectionsRoutes.found), staleTime: 15_000 })
  if (found.isPending) {
    return (
      <p className="flex items-center gap-2 text-muted">
        <Spinner /> {t('looking')}
      </p>
    )
  }
  if (found.isError) {
    return (
      <ErrorCard title={t('lookFailed')} onRetry={() => void found.refetch()}>
        {wordsOf(found.error)}
      </ErrorCard>
    )
  }
  if (found.data.items.length === 0) {
    return (
      <div className="flex flex-wrap items-center gap-3 text-muted">
        <p className="min-w-0 flex-1">{t('noneFound')}</p>
        <Button
          size="small"
          tone="quiet"
          busy={found.isFetching}
          icon={<RotateCw className="size-3.5" />}
          onClick={() => void found.refetch()}
        >
          {t('lookAgain')}
        </Button>
      </div>
    )
  }
  return (
    <ul className="flex flex-col gap-2">
      {found.data.items.map((runtime) => (
        <li key={`${runtime.url} ${runtime.name}`}>
          <Runtime runtime={runtime} onConnected={onConnected} />
        </li>
      ))}
    </ul>
  )
}

function Runtime({ runtime, onConnected }: { runtime: FoundRuntime; onConnected?: () => void }) {
  const t = useText('connect')
  const connect = useMutation({
    mutationFn: () => connectRuntime(runtime),
    onSuccess: async () => {
      await Promise.all([
        refresh(connectionsRoutes.found),
        refresh(connectionsRoutes.models),
        refresh(connectionsRoutes.connections),
        refresh(localRuntimeRoutes.settings),
        // Also where they are asked for in other places: what was connected may draw, speak or listen.
        refresh(speechRoutes.speechModels),
        refresh(speechRoutes.transcriptionModels),
        refresh(mediaMakingRoutes.models),
      ])
      onConnected?.()
    },
  })
  return (
    <div className="rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <div className="flex items-center gap-3">
        <Cpu aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{runtime.name}</p>
          <p className="truncate text-sm text-muted">
            <bdi dir="ltr">{runtime.url}</bdi> · {t('models', { count: runtime.modelCount })}
          </p>
        </div>
        {runtime.connected ? (
          <Badge tone="ok" icon={<Check />}>
            {t('connected')}
          </Badge>
        ) : (
          <Button size="small" tone="primary" busy={connect.isPending} onClick={() => connect.mutate()}>
            {t('use')}
          </Button>
        )}
      </div>
      {connect.isError && (
        <ErrorCard title={t('failed')} className="mt-2.5">
          {wordsOf(connect.error)}
        </ErrorCard>
      )}
    </div>
  )
}

/** The local runtime has its own protocol, some have a definition; every other one speaks chat-completions. */
async function connectRuntime(runtime: FoundRuntime): Promise<void> {
  if (runtime.kind === 'ollama') {
    await call(localRuntimeRoutes.updateSettings, { body: { enabled: true, baseUrl: runtime.url } })
    return
  }
  if (runtime.pluginId !== null) {
    const params = { id: runtime.pluginId }
    await call(connectionsRoutes.allowPlugin, { params })
    await call(connectionsRoutes.activate, { params })
    return
  }
  const url = `${runtime.url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/chat/completions`
  await call(connectionsRoutes.quick, { body: { name: runtime.name, url, allowPrivate: true } })
}
