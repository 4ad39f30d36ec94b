import type { Removal } from '@atrium/contract/account-data'
import { transfersRoutes } from '@atrium/contract/transfers'
import { useMutation } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { factSeparator } from '../../lib/format.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { useResourceWords } from '../../lib/resources.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { refreshTransfers } from './data.ts'
import { TransferDialog, type TransferOffer } from './transfer-dialog.tsx'
import { useText } from 'virtual:words/transfer'

/**
 * What others lose with an account, and the way to hand it over before. `accountId`: an administrator looks, who sees counts
 * alone; without it, it is the own account.
 */
export function LostThings({ removal: { lost, openTransfers }, accountId }: { removal: Removal; accountId?: string }) {
  const t = useText('transfer')
  const words = useResourceWords()
  const [asking, setAsking] = useState(false)
  if (lost.length === 0) return null
  const offer = (given: TransferOffer) =>
    accountId === undefined
      ? call(transfersRoutes.offerAll, { body: given })
      : call(transfersRoutes.offerOf, { params: { id: accountId }, body: { toAccountId: given.toAccountId } })
  return (
    <div className="mt-4">
      <p className="text-sm font-medium">{t('lost')}</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {lost.map(({ kind, count, items }) => (
          <li key={kind}>
            {words(kind, 'count', { count })}
            {items.length > 0 && (
              <span dir="auto" className="block text-sm text-muted">
                {items.map(({ name }) => name).join(factSeparator())}
                {count > items.length && ` · ${t('more', { count: count - items.length })}`}
              </span>
            )}
          </li>
        ))}
      </ul>
      {openTransfers > 0 && (
        <p role="status" className="mt-2 text-sm text-warn-ink">
          {t('waiting', { count: openTransfers })}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={<ArrowRightLeft className="size-4" />} onClick={() => setAsking(true)}>
          {t('openAll')}
        </Button>
        {openTransfers > 0 && accountId !== undefined && <WithdrawButton accountId={accountId} />}
      </div>
      {asking && (
        <TransferDialog
          title={t(accountId === undefined ? 'titleAll' : 'titleOf')}
          text={t(accountId === undefined ? 'textAll' : 'textOf')}
          mayKeep={false}
          offer={async (given) => {
            const answer = await offer(given)
            await refreshTransfers()
            return answer
          }}
          done={({ offered, left }, who) =>
            [t('offeredAll', { count: offered, who }), left > 0 && t('left', { count: left })].filter(Boolean).join(' ')
          }
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** For what administrators offered of an account; what its owner offers is not theirs to withdraw. */
function WithdrawButton({ accountId }: { accountId: string }) {
  const t = useText('transfer')
  const withdraw = useMutation({
    mutationFn: async () => {
      const { withdrawn } = await call(transfersRoutes.endOf, { params: { id: accountId } })
      await refreshTransfers()
      return withdrawn
    },
    onSuccess: (count) => toast(count === 0 ? t('withdrewNone') : t('withdrew', { count })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Button disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
      {t('withdraw')}
    </Button>
  )
}
