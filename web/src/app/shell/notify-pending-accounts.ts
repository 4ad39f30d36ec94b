/** News of accounts for administrators; loaded with the first one. */
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { refresh } from '../../api/query.ts'
import { translate } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'

/** Reads anew what shows accounts; `waiting`: somebody wants to be let in. */
export function notifyPendingAccounts(waiting: boolean, open: () => void): void {
  void refresh(userAdministrationRoutes.pending)
  void refresh(userAdministrationRoutes.list)
  void refresh(userAdministrationRoutes.read)
  if (waiting)
    toast(translate('app:shell.somebodyWaits'), { action: { label: translate('app:shell.lookAt'), onClick: open } })
}
