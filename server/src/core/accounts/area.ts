/** The area of accounts, as `compose()` creates it. */
import { networkInterfaces } from 'node:os'
import { accountsArea } from '@atrium/contract/accounts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { BASE_URL } from '../../platform/settings/index.ts'
import { type Slot, createSlot } from '../../platform/slot.ts'
import type { Mail, MailDeps } from '../mail/index.ts'
import type { Settings } from '../settings/index.ts'
import { type AccountOptions, accountMigrations, accountSealed, accountSettings, createAccounts } from './index.ts'

export const accounts = defineArea(accountsArea)<
  { settings: Settings; mail: Mail & { readonly recipients: Slot<MailDeps['user']> } },
  Pick<AccountOptions, 'passwordCosts'>
>()({
  needs: ['settings', 'mail'],
  migrations: accountMigrations,
  sealed: accountSealed,
  settings: { ...accountSettings, BASE_URL },
  create(platform, { settings, mail }, own, { passwordCosts }) {
    const inbox = createSlot<AccountOptions['notify']>('The inbox of accounts')
    const api = createAccounts({
      ...platform,
      passwordCosts,
      settings: own,
      mail,
      enqueue: platform.jobs.enqueue,
      notify: (accountId, key, facts) => inbox.get()(accountId, key, facts),
      webauthnRpId: own.WEBAUTHN_RP_ID,
      baseUrl: own.BASE_URL,
      signupEnabled: settings.signupEnabled,
      defaultTheme: settings.defaultTheme,
      async languageOf(accountId) {
        const { language } = await settings.preferencesOf(accountId)
        return language === 'system' ? undefined : language
      },
      async timeZoneOf(accountId) {
        const { timeZone } = await settings.preferencesOf(accountId)
        return timeZone === 'system' ? undefined : timeZone
      },
      machineAddresses: () =>
        new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))),
    })
    mail.recipients.fill(api.user)
    return {
      handlers: api.handlers,
      jobs: api.jobs,
      checks: api.checks,
      api: { ...api, inbox },
      start: () => api.begin(),
      stop: api.close,
    }
  },
})
