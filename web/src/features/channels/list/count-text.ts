import { mostUnread } from '@atrium/contract/channels'
import { formatNumber } from '../../../lib/format.ts'

/** `12`, or `99+` where there are as many as are counted, or more. */
export const countText = (count: number): string =>
  count >= mostUnread ? `${formatNumber(mostUnread - 1)}+` : formatNumber(count)
