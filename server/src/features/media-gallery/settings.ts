/** What an operator says of the gallery. */
import { declareVariables, wholeNumber } from '../../platform/settings/index.ts'

export const mediaSettings = declareVariables({
  MEDIA_QUOTA_MB: [
    wholeNumber(1, 100_000_000),
    'megabytes that one account may keep in its gallery, the trash included; what is made is refused before it is paid for once that is full',
    { usual: 'no limit', plain: true },
  ],
})
