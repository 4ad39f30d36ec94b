import { connectionsRoutes } from '@atrium/contract/connections'
import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatAgo } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/connections'

/** Who asked for a model and waits; nothing where nobody does. */
export function ModelRequests() {
  const t = useText('connections')
  const { data } = useQuery({ ...queryOf(connectionsRoutes.modelRequests), staleTime: 30_000 })
  const dismiss = useMutation({
    mutationFn: (accountId: string) => call(connectionsRoutes.dismissModelRequest, { params: { accountId } }),
    onSettled: () => void refresh(connectionsRoutes.modelRequests),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  if (!data || data.items.length === 0) return null
  return (
    <section aria-label={t('requests.title')} className="mb-6 rounded-lg border border-line bg-warn-soft px-3.5 py-3">
      <p className="font-medium">{t('requests.title')}</p>
      <p className="mt-0.5 text-sm">{t('requests.text')}</p>
      <ul className="mt-2 flex max-h-56 flex-col overflow-y-auto">
        {data.items.map(({ accountId, name, requestedAt }) => (
          <li key={accountId} className="flex items-center gap-2 py-0.5">
            <span className="min-w-0 flex-1 truncate">
              <bdi className="font-medium">{name}</bdi>{' '}
              <span className="text-sm text-muted">{formatAgo(requestedAt)}</span>
            </span>
            <IconButton
              label={t('requests.dismiss', { name })}
              icon={<X />}
              size="small"
              onClick={() => dismiss.mutate(accountId)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
