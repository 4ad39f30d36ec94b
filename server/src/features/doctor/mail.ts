/** Tells administrators of what is wrong by mail, each in their language; nothing where no mail can be sent. */
import type { Alert } from '@atrium/contract/doctor'
import { defaultLanguage } from '@atrium/contract/languages'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { alertLocales } from './locales/index.ts'
import type { TellOutage } from './outage.ts'

export interface AlertMailDeps {
  readonly accounts: Pick<Accounts, 'administratorIds' | 'user'>
  readonly mail: Pick<Mail, 'available' | 'address' | 'direct' | 'send'>
  readonly settings: Pick<Settings, 'preferencesOf'>
}

/** To those who want mail of alerts at once; their digests and other ways are those of every notification. */
export const createAlertMail = (
  deps: AlertMailDeps & { readonly notifications: Pick<Notifications, 'preferencesOf'> },
) => {
  const { mail } = deps
  return async (alerts: readonly Alert[]): Promise<void> => {
    if (!(await mail.available())) return
    const address = await mail.address()
    for (const reader of await readersOf(deps)) {
      const { kinds } = await deps.notifications.preferencesOf(reader.accountId)
      if (kinds.alert.mail !== 'now') continue
      const { subject, lead, link } = alertLocales[reader.language]
      const lines = [lead, ...alerts.map(({ host, message }) => (host === null ? message : `${host}: ${message}`))]
      if (address !== null) lines.push(link, `${address}/settings/doctor`)
      await mail.send({ ...reader, subject, text: lines.join('\n\n') })
    }
  }
}

/** Holds ready what a letter needs that is sent while the database is away. */
export const createOutageMail = (deps: AlertMailDeps) => async (): Promise<TellOutage> => {
  const send = await deps.mail.direct()
  if (!send) return async () => undefined
  const readers = await readersOf(deps)
  return async ({ host, since }) => {
    const letters = readers.map(({ language, to }) => {
      const { awaySubject, awayText } = alertLocales[language]
      const time = new Date(since).toISOString()
      return { to, language, subject: awaySubject, text: awayText.replace('{host}', host).replace('{time}', time) }
    })
    // One that cannot be sent keeps nobody else from being told.
    const results = await Promise.allSettled(letters.map(send))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}

const readersOf = async ({ accounts, settings }: AlertMailDeps) => {
  const readers = []
  for (const accountId of await accounts.administratorIds()) {
    const email = (await accounts.user(accountId))?.email
    if (!email) continue
    const chosen = (await settings.preferencesOf(accountId)).language
    readers.push({ accountId, to: email, language: chosen === 'system' ? defaultLanguage : chosen })
  }
  return readers
}
