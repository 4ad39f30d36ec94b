import { localRuntimeRoutes, type ShownVisibility, type RuntimeModel } from '@atrium/contract/local-runtime'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CirclePlus, Eraser, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { sortKeys } from '../../../blocks/model-visibility/change.ts'
import { useVisibility } from '../../../blocks/model-visibility/use-visibility.ts'
import { factSeparator, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { MakeDialog } from './make.tsx'
import { watchTask } from './tasks.ts'
import { ModelRow } from './row.tsx'
import { useText } from 'virtual:words/local-runtime'

/** The models that the local runtime holds, how everybody sees them, and which of them fill memory just now. */
export function RuntimeModels() {
  const t = useText('local-runtime')
  const models = useQuery({ ...queryOf(localRuntimeRoutes.models), staleTime: 10_000 })
  const running = useQuery({ ...queryOf(localRuntimeRoutes.running), staleTime: 5000, refetchInterval: 20_000 })
  const { visibility, change } = useVisibility()
  const loaded = new Map(running.data?.items.map((model) => [model.name, model]))
  const [making, setMaking] = useState<string | null>(null)
  const failed = (error: Error) => void toast(wordsOf(error), { tone: 'danger' })

  const unloadAll = useMutation({
    mutationFn: () => call(localRuntimeRoutes.unloadAll),
    onSuccess: () => toast(t('unloadedAll')),
    onSettled: () => void refresh(localRuntimeRoutes.running),
    onError: failed,
  })
  const updateAll = useMutation({
    mutationFn: () => call(localRuntimeRoutes.pullAll),
    onSuccess: watchTask,
    onError: failed,
  })

  return (
    <div id="runtime-models" className="mt-6">
      <QueryView query={models}>
        {({ items }) => (
          <>
            <div className="flex flex-wrap items-center gap-2">
              <div className="w-full">
                <h4 className="font-medium">{t('models')}</h4>
                {items.length > 0 && (
                  <p className="text-sm text-muted">
                    {[
                      t('count', { count: items.length }),
                      t('inAll', { size: formatSize(sum(items.map((model) => model.sizeBytes))) }),
                      loaded.size > 0 &&
                        t('loadedTotal', {
                          count: loaded.size,
                          size: formatSize(sum([...loaded.values()].map((model) => model.sizeBytes))),
                        }),
                    ]
                      .filter(Boolean)
                      .join(factSeparator())}
                  </p>
                )}
              </div>
              {loaded.size > 0 && (
                <Button
                  size="small"
                  icon={<Eraser className="size-3.5" />}
                  busy={unloadAll.isPending}
                  onClick={() => unloadAll.mutate()}
                >
                  {t('unloadAll')}
                </Button>
              )}
              {items.length > 0 && (
                <>
                  <Button
                    size="small"
                    icon={<RefreshCw className="size-3.5" />}
                    busy={updateAll.isPending}
                    onClick={() => updateAll.mutate()}
                  >
                    {t('updateAll')}
                  </Button>
                  <Button
                    size="small"
                    icon={<CirclePlus className="size-3.5" />}
                    onClick={() => setMaking(items[0]?.name ?? '')}
                  >
                    {t('make')}
                  </Button>
                </>
              )}
            </div>
            {items.length === 0 ? (
              <p className="py-3 text-muted">{t('noModels')}</p>
            ) : (
              <ul className="mt-2 border-t border-line">
                {inOrder(items, visibility).map((model) => (
                  <ModelRow
                    key={model.name}
                    model={model}
                    keys={items.map((each) => each.name)}
                    running={loaded.get(model.name)}
                    visibility={visibility}
                    onChange={change}
                    onMake={() => setMaking(model.name)}
                  />
                ))}
              </ul>
            )}
            {making !== null && <MakeDialog from={making} models={items} onClose={() => setMaking(null)} />}
          </>
        )}
      </QueryView>
    </div>
  )
}

const inOrder = (models: readonly RuntimeModel[], visibility: ShownVisibility): RuntimeModel[] => {
  const byName = new Map(models.map((model) => [model.name, model]))
  return sortKeys([...byName.keys()], visibility).flatMap((name) => byName.get(name) ?? [])
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0)
