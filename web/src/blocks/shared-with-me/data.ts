/** What others share with the account. */
import { accessRoutes } from '@atrium/contract/access'
import type { ResourceType } from '@atrium/contract/resources'
import type { Answer } from '@atrium/contract/route'
import { onAccountEvent } from '../../api/account-events.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'

/** Has the list read again wherever it is shown. */
export const refreshShared = (): Promise<void> => refresh(accessRoutes.sharedWithMe)

onAccountEvent('shared-changed', () => void refreshShared())

export type SharedResource = Answer<typeof accessRoutes.sharedWithMe>['items'][number]

/** Newest share first; of one kind, or of every kind. */
export const sharedQuery = (resourceType?: ResourceType) =>
  pagesOf(accessRoutes.sharedWithMe, { query: { resourceType, limit: 50 } })
