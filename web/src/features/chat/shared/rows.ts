/** What the rows of shared things say. */
import { formatDateTime } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/texts.ts'
import type { SharedThing } from './data.ts'

/** Whose it is, what may be done with it, and until when. */
export const factsOf = (thing: SharedThing, t: Translate): string =>
  [
    t('by', { name: thing.ownerName }),
    t(`right.${thing.right}`),
    thing.grantId === null && t('viaGroup'),
    thing.expiresAt !== null && t('until', { time: formatDateTime(thing.expiresAt) }),
  ]
    .filter(Boolean)
    .join(' · ')
