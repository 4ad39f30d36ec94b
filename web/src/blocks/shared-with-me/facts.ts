import { factSeparator, formatDateTime } from '../../lib/format.ts'
import type { SharedResource } from './data.ts'
import { useText } from 'virtual:words/shared-with-me'

/** Gives what a share says in one line: whose it is, what may be done with it, and until when. */
export function useShareFacts(): (share: SharedResource) => string {
  const t = useText('shared-with-me')
  return ({ ownerName, right, grantId, expiresAt }) =>
    [
      t('by', { name: ownerName }),
      t(`right.${right}`),
      grantId === null && t('viaGroup'),
      expiresAt !== null && t('until', { time: formatDateTime(expiresAt) }),
    ]
      .filter(Boolean)
      .join(factSeparator())
}
