/** The area of speech, as `compose()` creates it. */
import { speechArea } from '@atrium/contract/speech'
import type { Features } from '../../core/access/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSpeech } from './index.ts'

export const speech = defineArea(speechArea)<{
  access: { features: Features }
  connections: Connections
  settings: Settings
}>()({
  needs: ['access', 'connections', 'settings'],
  create: (platform, { access: { features }, connections, settings }) => ({
    ...createSpeech({ ...platform, features, connections, settings }),
    api: undefined,
  }),
})
