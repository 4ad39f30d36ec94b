/** What is recorded of calls. */
import { RecordPolicy } from '@atrium/contract/usage'
import { defineSettings, setting } from '../../platform/settings/index.ts'

const recording = defineSettings(
  {
    policy: setting(RecordPolicy, {
      default: 'full',
      strictest: 'off',
      env: 'USAGE_POLICY',
      about:
        'what to record about calls to providers: `off`, `sums` (per account and model, for days and quarter hours) or `full` (each call as well); never content',
    }),
  },
  { row: 'usage-policy' },
)

export const usageSettings = { recording }

export type RecordingFields = typeof recording.fields
