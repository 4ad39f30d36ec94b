import { localRuntime, type RuntimeModel } from '@atrium/contract/local-runtime'
import { modelManagement } from '@atrium/contract/model-management'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MemoryStick, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { number, size } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../parts/query-view.tsx'
import { useText } from '../texts.ts'

/** The models that the local runtime holds, and which of them fill memory just now. */
export function RuntimeModels() {
  const t = useText('settings')
  const models = useQuery({ ...queryOf(localRuntime.models), staleTime: 10_000 })
  const running = useQuery({ ...queryOf(localRuntime.running), staleTime: 5000, refetchInterval: 20_000 })
  const loaded = new Map(running.data?.items.map((model) => [model.name, model]))
  return (
    <div id="runtime-models" className="mt-5">
      <h4 className="text-sm font-medium text-muted">{t('runtime.models')}</h4>
      <QueryView query={models}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="py-3 text-muted">{t('runtime.noModels')}</p>
          ) : (
            <ul>
              {items.map((model) => (
                <ModelRow key={model.name} model={model} loadedBytes={loaded.get(model.name)?.sizeBytes} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </div>
  )
}

function ModelRow({ model, loadedBytes }: { model: RuntimeModel; loadedBytes: number | undefined }) {
  const t = useText('settings')
  const [asking, setAsking] = useState(false)
  const failed = (error: Error) => void toast(wordsOf(error), { tone: 'danger' })
  const unload = useMutation({
    mutationFn: () => call(localRuntime.unload, { body: { name: model.name } }),
    onSettled: () => void refresh(localRuntime.running),
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: () => call(localRuntime.remove, { query: { name: model.name } }),
    onSettled: () => {
      setAsking(false)
      void refresh(localRuntime.models)
      void refresh(modelManagement.models)
    },
    onError: failed,
  })
  const facts = [
    size(model.sizeBytes),
    model.parameterSize,
    model.quantization,
    model.contextWindow && t('runtime.window', { tokens: number(model.contextWindow) }),
  ]
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <bdi dir="ltr" className="truncate font-medium">
            {model.name}
          </bdi>
          {loadedBytes !== undefined && (
            <Badge tone="accent" icon={<MemoryStick />}>
              {t('runtime.loaded', { size: size(loadedBytes) })}
            </Badge>
          )}
        </p>
        <p className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {loadedBytes !== undefined && (
        <Button
          size="small"
          busy={unload.isPending}
          aria-label={t('runtime.unloadNamed', { name: model.name })}
          onClick={() => unload.mutate()}
        >
          {t('runtime.unload')}
        </Button>
      )}
      <IconButton
        label={t('runtime.delete', { name: model.name })}
        icon={<Trash2 />}
        size="small"
        tone="danger"
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('runtime.deleteTitle', { name: model.name })}
        confirm={t('runtime.deleteConfirm')}
        cancel={t('cancel')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('runtime.deleteText', { size: size(model.sizeBytes) })}
      </ConfirmDialog>
    </li>
  )
}
