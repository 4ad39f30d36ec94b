/** The area of presence, as `compose()` creates it. */
import { presenceArea } from '@atrium/contract/presence'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createPresence, presenceMigrations, presenceSealed } from './index.ts'

export const presence = defineArea(presenceArea)()({
  needs: [],
  migrations: presenceMigrations,
  sealed: presenceSealed,
  create: (platform) => createPresence(platform),
})
