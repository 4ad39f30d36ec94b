/** How long entries of the audit are kept. */
import { z } from 'zod'
import { defineSettings, setting } from '../../platform/settings/index.ts'

const mostDays = 3650

const audit = defineSettings(
  {
    retentionDays: setting(z.number().int().min(30).max(mostDays), {
      default: 180,
      // While what was set cannot be read, nothing younger is removed.
      strictest: mostDays,
      env: 'AUDIT_RETENTION_DAYS',
      about: 'days to keep audit entries, 30 to 3650',
    }),
  },
  { row: 'audit' },
)

export const auditSettings = { audit }
