/** What an operator says of the gallery. */
import { z } from 'zod'
import { declareVariables, wholeNumber } from '../../platform/settings/index.ts'

export const mediaSettings = declareVariables({
  MEDIA_QUOTA_MB: [
    wholeNumber(1, 100_000_000),
    'megabytes that one account may keep in its gallery, the trash included; what is made is refused before it is paid for once that is full',
    { usual: 'no limit', plain: true },
  ],
  VIDEO_COLLECT: [
    z.enum(['on', 'off'], 'must be on or off').transform((said) => said === 'on'),
    'whether the server collects finished videos by itself when nobody has asked about them for five minutes; off: only open pages and clients ask',
    { usual: 'on', plain: true },
  ],
})
