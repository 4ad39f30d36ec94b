/** What the rows of shared things say, and where they lead. */
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import type { Translate } from '../../../lib/texts.ts'
import type { SharedThing } from './data.ts'

export const addressOf = ({ resourceType, resourceId }: SharedThing): string =>
  resourceType === 'folder' ? links.sharedFolder(resourceId) : links.chat(resourceId)

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
