/** What the environment says about models for everybody. */
import { z } from 'zod'
import { declareVariables } from '../../platform/settings/index.ts'

export const localRuntimeSettings = declareVariables({
  DEFAULT_MODEL: [
    z.string().trim().max(512),
    'the model new chats start with, unless someone chose another: its name, or `<connection>/<model>`',
    { usual: 'unset: set in the app' },
  ],
})
