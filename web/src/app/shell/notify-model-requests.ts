/** News of requests for a model, for administrators; loaded with the first one. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { refresh } from '../../api/query.ts'
import { translate } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'

/** Reads the requests anew; `name`: who asked just now. */
export function notifyModelRequests(name: string | null, open: () => void): void {
  void refresh(connectionsRoutes.modelRequests)
  if (name !== null) {
    const action = { label: translate('app:shell.lookAt'), onClick: open }
    toast(translate('app:shell.modelRequested', { name }), { action })
  }
}
