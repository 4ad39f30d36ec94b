/** The area of backups, as `compose()` creates it. */
import { recoveryBackupArea } from '@atrium/contract/recovery-backup'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { scheduleIntervalMs, scheduleJobKind } from './backups.ts'
import { addressOf, environmentPlaces } from '../../platform/backups/destinations/environment.ts'
import { createRecoveryBackup, type RecoveryBackupOptions } from './index.ts'
import { backupMetrics } from './metrics.ts'
import { backupSettings } from './settings.ts'

export const recoveryBackup = defineArea(recoveryBackupArea)<
  { readonly accounts: Accounts; readonly settings: Settings },
  RecoveryBackupOptions
>()({
  needs: ['accounts', 'settings'],
  settings: backupSettings,
  metrics: () => backupMetrics,
  create(platform, { accounts, settings }, { schedule, retention, RECOVERY_DRILL_INTERVAL_HOURS, ...values }, options) {
    const fixed = environmentPlaces(values)
    // A gate of its own: what the operator names may be in a private network, and nothing else that is there.
    const addresses = new Set(fixed.flatMap(({ place }) => addressOf(place) ?? []).map(hostAndPort))
    const toFixed = createOutbound({ allowed: () => addresses, log: platform.log })
    return {
      ...createRecoveryBackup({
        ...platform,
        ...options,
        hasUsers: accounts.hasUsers,
        allowAddress: settings.allowAddress,
        fixed,
        toFixed,
        wishes: values,
        drillIntervalHours: RECOVERY_DRILL_INTERVAL_HOURS ?? 24,
        schedule,
        retention,
      }),
      every: [[scheduleJobKind, scheduleIntervalMs]],
      async stop() {
        await options.firstRestorer?.stop()
        await toFixed.close()
      },
    }
  },
})
