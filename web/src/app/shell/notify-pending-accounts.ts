/** News of accounts for administrators; loaded with the first one. */
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { translate } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'

/** Reads anew what shows accounts; `waiting`: somebody wants to be let in, and is told of while they still wait. */
export async function notifyPendingAccounts(waiting: boolean, open: () => void): Promise<void> {
  void refresh(userAdministrationRoutes.pending)
  void refresh(userAdministrationRoutes.list)
  void refresh(userAdministrationRoutes.read)
  if (!waiting) return
  const { count } = await call(userAdministrationRoutes.pending).catch(() => ({ count: 1 }))
  if (count > 0)
    toast(translate('app:shell.somebodyWaits'), { action: { label: translate('app:shell.lookAt'), onClick: open } })
}
