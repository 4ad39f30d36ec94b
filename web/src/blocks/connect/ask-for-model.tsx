import { connectionsRoutes } from '@atrium/contract/connections'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { keyOf, queryClient, queryOf } from '../../api/query.ts'
import { formatAgo, formatList } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/connect'

/** For a member without a model: who can give it one, and a button that asks them. */
export function AskForModel() {
  const t = useText('connect')
  const request = useQuery({ ...queryOf(connectionsRoutes.modelRequest), staleTime: 60_000 })
  const ask = useMutation({
    mutationFn: () => call(connectionsRoutes.requestModel),
    onSuccess: (next) => queryClient.setQueryData(keyOf(connectionsRoutes.modelRequest), next),
  })
  const { requestedAt = null, administrators = [] } = request.data ?? {}
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-48 flex-1 text-sm text-muted">
        {administrators.length > 0 ? t('ask.whom', { names: formatList(administrators) }) : t('ask.anybody')}
        {ask.isError && (
          <span role="alert" className="block text-danger-ink">
            {wordsOf(ask.error)}
          </span>
        )}
      </p>
      {requestedAt === null ? (
        <Button size="small" tone="primary" busy={ask.isPending} onClick={() => ask.mutate()}>
          {t('ask.button')}
        </Button>
      ) : (
        <p role="status" className="inline-flex items-center gap-1.5 text-sm text-ok-ink">
          <Check aria-hidden className="size-4" /> {t('ask.asked', { when: formatAgo(requestedAt) })}
        </p>
      )}
    </div>
  )
}
