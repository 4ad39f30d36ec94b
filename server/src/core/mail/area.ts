/** The area of mail, as `compose()` creates it. */
import { mailArea } from '@atrium/contract/mail'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import type { Settings } from '../settings/index.ts'
import { type Mail, type MailDeps, type MailEnvironment, createMail, mailMigrations } from './index.ts'

export const mail = defineArea(mailArea)<{ settings: Settings }, MailEnvironment>()({
  needs: ['settings'],
  migrations: mailMigrations,
  create(platform, { settings }, environment) {
    const recipients = createSlot<MailDeps['user']>('Recipients of mail')
    const sender: Mail = createMail({
      ...platform,
      environment,
      document: settings.document,
      user: (accountId) => recipients.get()(accountId),
    })
    return { ...sender.area, api: { ...sender, recipients } }
  },
})
