/** What an operator says of the gallery. */
import { z } from 'zod'
import { declareVariables, wholeNumber } from '../../platform/settings/index.ts'

export const mediaSettings = declareVariables({
  MEDIA_QUOTA_MB: [
    wholeNumber(1, 100_000_000),
    'megabytes per account for the gallery, including its trash; when full, nothing more is created, before any provider is paid',
    { usual: 'no limit', plain: true },
  ],
  VIDEO_COLLECT: [
    z.enum(['on', 'off'], 'must be on or off').transform((said) => said === 'on'),
    'whether the server collects finished videos that nobody has asked about for five minutes; with `off`, only open pages and clients ask',
    { usual: 'on', plain: true },
  ],
})
