/** Tells of a sign-in that began elsewhere, with a way to end it. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { factSeparator } from '../../../lib/format.ts'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { deviceOf } from '../../../lib/device.ts'
import { links } from '../../../lib/links.ts'
import { i18n } from '../../../lib/texts.ts'
import { toast } from '../../../ui/toaster.tsx'
import 'virtual:words/accounts-sessions'

/** Says nothing of this browser's own session. `open`: goes to a page. */
export async function notifySignIn(sessionId: string, open: (href: string) => void): Promise<void> {
  const { items } = await call(accountsRoutes.sessions)
  void refresh(accountsRoutes.sessions)
  const session = items.find(({ id }) => id === sessionId)
  if (!session || session.current || session.revokedAt) return
  const { browser, system } = deviceOf(session.userAgent)
  const device = [browser, system].filter(Boolean).join(factSeparator()) || i18n.t('accounts-sessions:startedUnknown')
  toast(i18n.t('accounts-sessions:started', { device }), {
    ms: 30_000,
    action: { label: i18n.t('accounts-sessions:look'), onClick: () => open(links.settings('security', 'sessions')) },
  })
}
