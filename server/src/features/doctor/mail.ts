/** Tells administrators of new alerts by mail, each in their language; nothing where no mail can be sent. */
import type { Alert } from '@atrium/contract/doctor'
import { defaultLanguage } from '@atrium/contract/languages'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { alertLocales } from './locales/index.ts'

export interface AlertMailDeps {
  readonly accounts: Pick<Accounts, 'administratorIds' | 'user'>
  readonly mail: Pick<Mail, 'available' | 'address' | 'send'>
  readonly settings: Pick<Settings, 'preferencesOf'>
}

export const createAlertMail =
  ({ accounts, mail, settings }: AlertMailDeps) =>
  async (alerts: readonly Alert[]): Promise<void> => {
    if (!(await mail.available())) return
    const address = await mail.address()
    for (const accountId of await accounts.administratorIds()) {
      const email = (await accounts.user(accountId))?.email
      if (!email) continue
      const chosen = (await settings.preferencesOf(accountId)).language
      const language = chosen === 'system' ? defaultLanguage : chosen
      const { subject, lead, link } = alertLocales[language]
      const lines = [lead, ...alerts.map(({ host, message }) => (host === null ? message : `${host}: ${message}`))]
      if (address !== null) lines.push(link, `${address}/settings/doctor`)
      await mail.send({ accountId, to: email, subject, text: lines.join('\n\n'), language })
    }
  }
