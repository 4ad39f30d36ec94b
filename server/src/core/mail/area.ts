/** The area of mail, as `compose()` creates it. */
import { mailArea } from '@atrium/contract/mail'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import type { BrandingArea } from '../branding/index.ts'
import { type Mail, type MailDeps, createMail, mailMigrations, mailSealed, mailSettings } from './index.ts'
import { mailMetrics } from './metrics.ts'

export const mail = defineArea(mailArea)<{ branding: Pick<BrandingArea, 'workspaceName'> }>()({
  needs: ['branding'],
  migrations: mailMigrations,
  sealed: mailSealed,
  settings: mailSettings,
  metrics: () => mailMetrics,
  create(platform, { branding }, settings) {
    const recipients = createSlot<MailDeps['user']>('Recipients of mail')
    const sender: Mail = createMail({
      ...platform,
      settings: settings.mail,
      workspaceName: branding.workspaceName,
      user: (accountId) => recipients.get()(accountId),
    })
    return { ...sender.area, checks: [sender.check], api: { ...sender, recipients } }
  },
})
