/** The area of push, as `compose()` creates it. */
import { pushArea } from '@atrium/contract/push'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { BrandingArea } from '../branding/index.ts'
import type { Mail } from '../mail/index.ts'
import type { Settings } from '../settings/index.ts'
import { createPush, pushMigrations, pushSealed, pushSettings } from './index.ts'

interface Needs {
  readonly accounts: Pick<Accounts, 'isSessionLive' | 'onSessionEnded'>
  readonly branding: Pick<BrandingArea, 'workspaceName'>
  readonly mail: Pick<Mail, 'address'>
  readonly settings: Pick<Settings, 'preferencesOf'>
}

export const push = defineArea(pushArea)<Needs>()({
  needs: ['accounts', 'branding', 'mail', 'settings'],
  migrations: pushMigrations,
  sealed: pushSealed,
  settings: pushSettings,
  create: (platform, { accounts, branding, mail, settings }, own) =>
    createPush({
      ...platform,
      settings: own,
      accounts,
      async languageOf(accountId) {
        const { language } = await settings.preferencesOf(accountId)
        return language === 'system' ? null : language
      },
      workspaceName: branding.workspaceName,
      address: mail.address,
    }),
})
