/** What the workspace is called. */
import { WorkspaceName } from '@atrium/contract/branding'
import { type BoundSettings, defineSettings, setting } from '../../platform/settings/index.ts'

const branding = defineSettings(
  {
    name: setting(WorkspaceName, {
      default: 'Atrium',
      env: 'WORKSPACE_NAME',
      about: 'the workspace’s name in titles, on the sign-in page and in mails',
    }),
  },
  { row: 'branding' },
)

export const brandingSettings = { branding }

export type BoundBranding = BoundSettings<typeof branding.fields>
