/** What the routes and jobs of one-time links share. */
import type { AccountContext } from '../context.ts'
import type { AccountMailer, AccountNotices } from '../notices/notices.ts'
import type { LinkStore } from './store.ts'

export interface LinkContext extends AccountContext {
  readonly links: LinkStore
  readonly notices: AccountNotices
  readonly accountMail: AccountMailer
}
