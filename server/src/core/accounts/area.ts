/** The area of accounts, as `compose()` creates it. */
import { networkInterfaces } from 'node:os'
import { accountsArea } from '@atrium/contract/accounts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import type { Mail, MailDeps } from '../mail/index.ts'
import type { Settings } from '../settings/index.ts'
import { type AccountOptions, accountMigrations, accountVariables, createAccounts } from './index.ts'

export type AccountSettings = Pick<AccountOptions, 'baseUrl' | 'passwordCosts'>

export const accounts = defineArea(accountsArea)<
  { settings: Settings; mail: Mail & { readonly recipients: Slot<MailDeps['user']> } },
  AccountSettings
>()({
  needs: ['settings', 'mail'],
  migrations: accountMigrations,
  create(platform, { settings, mail }, environment) {
    const api = createAccounts({
      ...platform,
      ...environment,
      mail,
      enqueue: platform.jobs.enqueue,
      webauthnRpId: platform.readVariable(accountVariables.WEBAUTHN_RP_ID),
      signupEnabled: settings.signupEnabled,
      async languageOf(accountId) {
        const { language } = await settings.preferencesOf(accountId)
        return language === 'system' ? undefined : language
      },
      machineAddresses: () =>
        new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))),
    })
    mail.recipients.fill(api.user)
    return { handlers: api.handlers, jobs: api.jobs, api, start: () => api.begin(), stop: api.close }
  },
})
