import { transfersRoutes } from '@atrium/contract/transfers'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { refreshTransfers, type Transfer, transfersQuery } from '../../blocks/transfer/data.ts'
import { announce } from '../../lib/announce.ts'
import { factSeparator, formatDay, formatSize } from '../../lib/format.ts'
import { resourceDisplay, useResourceWords } from '../../lib/resources.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toast } from '../../ui/toaster.tsx'
import { SharedHeader } from './header.tsx'
import { useText } from 'virtual:words/access'

/** `/shared/transfers`: what others offer to the account, and what it offers to them. */
export function TransfersPage() {
  const t = useText('access')
  useTitle(t('transfers.title'))
  const toMe = useInfiniteQuery({ ...transfersQuery('in'), staleTime: 0 })
  const byMe = useInfiniteQuery({ ...transfersQuery('out'), staleTime: 0 })
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <SharedHeader title={t('transfers.title')} note={t('transfers.note')} />
        <section className="flex flex-col gap-2">
          <h2 className="font-medium">{t('transfers.in')}</h2>
          <PagedList
            pages={toMe}
            label={t('transfers.in')}
            failed={t('transfers.notLoaded')}
            empty={
              <EmptyState icon={<ArrowRightLeft />} title={t('transfers.nothing')}>
                {t('transfers.nothingHint')}
              </EmptyState>
            }
          >
            {(toMe.data ?? []).map((transfer) => (
              <TransferRow key={transfer.id} transfer={transfer} direction="in" />
            ))}
          </PagedList>
        </section>
        {(byMe.isError || (byMe.data?.length ?? 0) > 0) && (
          <section className="mt-4 flex flex-col gap-2">
            <h2 className="font-medium">{t('transfers.out')}</h2>
            <PagedList pages={byMe} label={t('transfers.out')} failed={t('transfers.notLoaded')} empty={<></>}>
              {(byMe.data ?? []).map((transfer) => (
                <TransferRow key={transfer.id} transfer={transfer} direction="out" />
              ))}
            </PagedList>
          </section>
        )}
      </div>
    </div>
  )
}

function TransferRow({ transfer, direction }: { transfer: Transfer; direction: 'in' | 'out' }) {
  const t = useText('access')
  const words = useResourceWords()
  const { id, name, resourceType, bytes, byAdministrator, state, failure, expiresAt } = transfer
  const other = direction === 'in' ? transfer.from : transfer.to
  const act = useMutation({
    mutationFn: async (what: 'accept' | 'end') => {
      await call(what === 'accept' ? transfersRoutes.accept : transfersRoutes.end, { params: { id } })
      await refreshTransfers()
    },
    onSuccess: (_answer, what) =>
      announce(t(what === 'accept' ? 'transfers.accepted' : `transfers.ended.${direction}`, { name })),
    onError: (error) => {
      toast(wordsOf(error), { tone: 'danger' })
      void refreshTransfers()
    },
  })
  const Icon = resourceDisplay(resourceType)?.icon
  const facts = [
    words(resourceType, 'name'),
    t(direction === 'in' ? 'transfers.from' : 'transfers.to', { name: other.name }),
    byAdministrator && t('transfers.byAdministrator'),
    bytes > 0 && formatSize(bytes),
    state === 'accepted' ? t('transfers.moving') : t('byMe.until', { time: formatDay(expiresAt) }),
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      <div className="min-w-40 flex-1">
        <p dir="auto" className="truncate font-medium">
          {name}
        </p>
        <p className="text-sm text-muted">{facts.filter(Boolean).join(factSeparator())}</p>
        {failure && <p className="text-sm text-danger-ink">{t(`transfers.failure.${failure}`)}</p>}
      </div>
      <div className="flex gap-2">
        {direction === 'in' && state === 'offered' && (
          <Button tone="primary" disabled={act.isPending} onClick={() => act.mutate('accept')}>
            {t('transfers.accept')}
          </Button>
        )}
        <Button disabled={act.isPending} onClick={() => act.mutate('end')}>
          {t(direction === 'in' ? 'transfers.decline' : 'transfers.withdraw')}
        </Button>
      </div>
    </li>
  )
}
