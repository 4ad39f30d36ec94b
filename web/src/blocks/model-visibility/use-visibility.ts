/** How the instance shows models, for administrators: read, changed at once on screen, and saved one change after the other. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { localRuntimeRoutes, type ShownVisibility } from '@atrium/contract/local-runtime'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../api/query.ts'
import { runInTurn } from '../../api/saves.ts'
import { toast } from '../../ui/toaster.tsx'
import { asTheyCome } from './change.ts'
import { useText } from 'virtual:words/model-visibility'

export function useVisibility() {
  const t = useText('model-visibility')
  const query = useQuery(queryOf(localRuntimeRoutes.visibility))
  const save = useMutation({
    mutationFn: (next: ShownVisibility) =>
      runInTurn('visibility', () => {
        const { fixedDefault: _, ...body } = next
        return call(localRuntimeRoutes.updateVisibility, { body })
      }),
    onMutate: (next) => void queryClient.setQueryData(keyOf(localRuntimeRoutes.visibility), next),
    onSuccess: () => void refresh(connectionsRoutes.models),
    onError: (error) => {
      void refresh(localRuntimeRoutes.visibility)
      toast(`${t('notSaved')} ${wordsOf(error)}`, { tone: 'danger' })
    },
  })
  return { query, visibility: query.data ?? asTheyCome, change: save.mutate }
}
