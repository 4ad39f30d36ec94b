/** The area of account data, as `compose()` creates it. */
import { accountDataArea } from '@atrium/contract/account-data'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { ApiTokensArea } from '../../core/api-tokens/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { PresenceArea } from '../../core/presence/index.ts'
import type { Push } from '../../core/push/index.ts'
import type { ExportFiles, ResourceRegistry } from '../../core/resources/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Tools } from '../../core/tools/index.ts'
import type { Transfers } from '../../core/transfers/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import type { Webhooks } from '../../core/webhooks/index.ts'
import { jsonBytes } from '../../platform/archive/write.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { accountDataMigrations, createAccountData } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly 'api-tokens': ApiTokensArea
  readonly access: Access
  readonly notifications: Notifications
  readonly presence: Pick<PresenceArea, 'settingsOf'>
  readonly push: Push
  readonly resources: ResourceRegistry
  readonly settings: Settings
  readonly tools: Pick<Tools, 'history'>
  readonly transfers: Transfers
  readonly usage: Usage
  readonly webhooks: Webhooks
}

export const accountData = defineArea(accountDataArea)<Needs>()({
  needs: [
    'accounts',
    'groups',
    'api-tokens',
    'access',
    'notifications',
    'presence',
    'push',
    'resources',
    'settings',
    'tools',
    'transfers',
    'usage',
    'webhooks',
  ],
  migrations: accountDataMigrations,
  create(platform, needs) {
    const { files, jobs, clock } = platform
    const {
      accounts,
      groups,
      access,
      notifications,
      presence,
      push,
      resources,
      settings,
      tools,
      transfers,
      usage,
      webhooks,
      'api-tokens': apiTokens,
    } = needs
    const exportAccount: ExportFiles = async function* (accountId) {
      const file = { modifiedAt: clock.now(), pack: true }
      const [account, tokens, preferences] = await Promise.all([
        accounts.administration.find(accountId),
        apiTokens.page(accountId, 200, undefined),
        settings.preferencesOf(accountId),
      ])
      yield { ...file, name: 'account.json', content: jsonBytes({ ...account, apiTokens: tokens.items }) }
      const picture = await accounts.avatarOf(accountId)
      if (picture)
        yield {
          modifiedAt: clock.now(),
          pack: false,
          name: `picture.${picture.mediaType.slice('image/'.length)}`,
          content: [picture.bytes],
        }
      yield { ...file, name: 'preferences.json', content: jsonBytes(preferences) }
      yield { ...file, name: 'presence.json', content: jsonBytes(await presence.settingsOf(accountId)) }
      const wishes = await notifications.preferencesOf(accountId)
      yield { ...file, name: 'notification-preferences.json', content: jsonBytes(wishes) }
      const devices = await push.devicesOf(accountId)
      if (devices.length > 0) yield { ...file, name: 'push-devices.json', content: jsonBytes(devices) }
      const hooks = await webhooks.webhooksOf(accountId)
      if (hooks.length > 0) yield { ...file, name: 'webhooks.json', content: jsonBytes(hooks) }
      const offers = await transfers.ofAccount(accountId)
      if (offers.length > 0) yield { ...file, name: 'ownership-transfers.json', content: jsonBytes(offers) }
      const told = (await Array.fromAsync(notifications.listAll(accountId))).flat()
      if (told.length > 0) yield { ...file, name: 'notifications.json', content: jsonBytes(told) }
      const calls = tools.history(accountId)[Symbol.asyncIterator]()
      const newest = await calls.next()
      if (!newest.done) yield { ...file, name: 'tool-calls.jsonl', content: linesOf(newest.value, calls) }
    }
    const api = createAccountData({
      ...platform,
      accounts,
      resources,
      transfers,
      names: accounts.accountNames.names,
      quotaBytes: async () => (await settings.instance()).storageQuotaBytes.value,
      counters: [
        accounts.countOf,
        groups.countOf,
        apiTokens.countOf,
        access.countShares,
        async (accountId) => ({
          files: await files.count(accountId),
          bytes: await files.size(accountId),
          jobs: await jobs.countOpen(accountId),
          budgets: await usage.budgetsOf(accountId),
        }),
      ],
      about: exportAccount,
    })
    return { ...api.area, api, listening: api.begin }
  },
})

/** A line of JSON for each, as they come: together they may be more than fits into the memory. */
async function* linesOf(first: object, others: AsyncIterator<object>): AsyncIterable<Uint8Array> {
  for (let item: object | null = first; item !== null; ) {
    yield Buffer.from(`${JSON.stringify(item)}\n`)
    const next: IteratorResult<object> = await others.next()
    item = next.done ? null : next.value
  }
}
