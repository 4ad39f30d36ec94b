import { type NotificationKind, notificationKinds } from '@atrium/contract/notifications'
import { useIsAdmin } from '../../api/account.ts'

/** The kinds that this account can be told of, in their order: alerts are told to administrators. */
export function useOwnKinds(): readonly NotificationKind[] {
  const isAdmin = useIsAdmin()
  return notificationKinds.filter((kind) => isAdmin || kind !== 'alert')
}
