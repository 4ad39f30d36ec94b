/** One-time links: handed out by administrators, used by guests, and sent to confirm one's own e-mail address. */

import type { AccountTransaction } from '../tables.ts'
import type { accountsRoutes } from '@atrium/contract/accounts'
import type { Handlers } from '../../../platform/http/area.ts'
import type { JobHandlers } from '../../../platform/jobs/types.ts'
import { forgotPasswordJobs } from './forgot-password.ts'
import { createHandedLinks, type HandedLinks } from './invitations.ts'
import { linkHandlers, type LinkNames } from './routes.ts'
import { createAccountMailer, createNotices, type AccountMailer, type AccountNotices } from '../notices/notices.ts'
import { type EmailChangeNames, createEmailChange, type EmailChange } from './change-email.ts'
import { createLinkStore } from './store.ts'
import type { AccountContext } from '../context.ts'

export interface OneTimeLinks {
  readonly handlers: Pick<Handlers<typeof accountsRoutes>, LinkNames | EmailChangeNames>
  readonly jobs: JobHandlers
  /** What administrators hand out. */
  readonly handed: HandedLinks
  /** How owners change their address. */
  readonly emailChange: EmailChange
  /** Mails to owners about what changed. */
  readonly notices: AccountNotices
  readonly accountMail: AccountMailer
  /** Ends what an account has open of links for a new password, within somebody's transaction. */
  endResets(accountId: string, trx: AccountTransaction): Promise<void>
}

export const createOneTimeLinks = (deps: AccountContext): OneTimeLinks => {
  const parts = {
    ...deps,
    links: createLinkStore(deps),
    notices: createNotices(deps),
    accountMail: createAccountMailer(deps),
  }
  const emailChange = createEmailChange(parts)
  return {
    handlers: { ...linkHandlers(parts), ...emailChange.handlers },
    jobs: forgotPasswordJobs(parts),
    handed: createHandedLinks(parts),
    emailChange,
    notices: parts.notices,
    accountMail: parts.accountMail,
    endResets: (accountId, trx) => parts.links.revokeOf(accountId, 'reset', trx),
  }
}
