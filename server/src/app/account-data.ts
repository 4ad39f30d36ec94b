/** All that belongs to an account, area by area: how it is counted, taken along, and taken away. */
import type { Access } from '../core/access/index.ts'
import type { Accounts } from '../core/accounts/index.ts'
import type { ApiTokensArea } from '../core/api-tokens/index.ts'
import type { GroupsArea } from '../core/groups/index.ts'
import type { Documents } from '../core/documents/index.ts'
import type { Settings } from '../core/settings/index.ts'
import type { Usage } from '../core/usage/index.ts'
import {
  type AccountData,
  type AccountDataDeps,
  createAccountData,
  type ExportFiles,
} from '../features/account-data/index.ts'
import type { Chats } from '../features/chat/index.ts'
import { jsonBytes } from '../platform/archive/write.ts'
import type { EventLog } from '../platform/events/types.ts'
import type { Jobs } from '../platform/jobs/types.ts'

type Ground = Pick<AccountDataDeps, 'database' | 'clock' | 'log' | 'audit' | 'files' | 'announce'> & {
  readonly jobs: Jobs
  readonly events: EventLog
}

export interface Owners {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly apiTokens: ApiTokensArea
  readonly access: Access
  readonly chats: Chats
  readonly documents: Documents
  readonly settings: Settings
  readonly calls: Usage
}

export const wireAccountData = (ground: Ground, owners: Owners): AccountData => {
  const { jobs, events, files, clock } = ground
  const { accounts, groups, apiTokens, access, chats, documents, settings, calls } = owners

  // When an account goes, everything of it goes. Each of these may be called again after a crash.
  accounts.onAccountRemoved(access.endShares)
  accounts.onAccountRemoved(chats.removeAccount)
  accounts.onAccountRemoved((accountId) => documents.removeAccount(accountId))
  accounts.onAccountRemoved((accountId) => jobs.removeAccount(accountId))
  accounts.onAccountRemoved(calls.removeAccount)
  accounts.onAccountRemoved((accountId) => events.removeAccount(accountId))
  accounts.onAccountRemoved((accountId) => files.removeAccount(accountId))

  const about: ExportFiles = async function* (accountId) {
    const file = { modifiedAt: clock.now(), pack: true }
    const [account, tokens, preferences] = await Promise.all([
      accounts.administration.find(accountId),
      apiTokens.page(accountId, 200, undefined),
      settings.preferencesOf(accountId),
    ])
    yield { ...file, name: 'account.json', content: jsonBytes({ ...account, apiTokens: tokens.items }) }
    yield { ...file, name: 'preferences.json', content: jsonBytes(preferences) }
  }

  return createAccountData({
    ...ground,
    accounts,
    counters: [
      accounts.countOf,
      groups.countOf,
      apiTokens.countOf,
      chats.countOf,
      documents.countOf,
      access.countShares,
      async (accountId) => ({
        files: await files.count(accountId),
        bytes: await files.size(accountId),
        jobs: await jobs.countOpen(accountId),
        budgets: await calls.budgetsOf(accountId),
      }),
    ],
    exporters: [about, chats.exportOf, documents.exportOf],
  })
}
