/** Offers of ownership, to the account and of what it has. */
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import type { Answer } from '@atrium/contract/route'
import { transfersRoutes } from '@atrium/contract/transfers'
import { onAccountEvent } from '../../api/account-events.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'

export type Transfer = Answer<typeof transfersRoutes.list>['items'][number]

/** Has everything read again that says whose things are, wherever it is shown. */
export const refreshTransfers = async (): Promise<void> => {
  await Promise.all(
    [
      transfersRoutes.list,
      accountDataRoutes.ownRemoval,
      accountDataRoutes.removal,
      accessRoutes.sharedByMe,
      accessRoutes.sharedWithMe,
      accessRoutes.effective,
    ].map((route) => refresh(route)),
  )
}

onAccountEvent('transfers-changed', () => void refreshTransfers())

/** Newest first. */
export const transfersQuery = (direction: 'in' | 'out') =>
  pagesOf(transfersRoutes.list, { query: { direction, limit: 50 } })
