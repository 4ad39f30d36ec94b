/** The area of speech, as `compose()` creates it. */
import { speechArea } from '@atrium/contract/speech'
import type { Connections } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSpeech } from './index.ts'

export const speech = defineArea(speechArea)<{ connections: Connections; settings: Settings }>()({
  needs: ['connections', 'settings'],
  create: (platform, { connections, settings }) => ({
    ...createSpeech({ ...platform, connections, settings }),
    api: undefined,
  }),
})
