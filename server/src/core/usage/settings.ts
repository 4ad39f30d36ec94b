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
        'what is recorded of calls to providers: `off`, `sums` (of days and quarters of an hour by account and model) or `full` (a line for each call, too); never content',
    }),
  },
  { row: 'usage-policy' },
)

export const usageSettings = { recording }

export type RecordingFields = typeof recording.fields
