/** What the rest of the product derives from this area: its error codes, events, audit actions and notifications. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

export const transfersDescription = describeArea({
  name: 'transfers',
  tag: 'access-control',
  errors: {
    transfer_not_found: [404, 'This offer has ended.'],
    transfer_open: [409, 'You have already offered this to someone. Withdraw that offer first.'],
    not_transferable: [409, 'This can’t be handed over because it is in the trash or you aren’t its owner.'],
    transfer_recipient_not_found: [404, 'Account not found.'],
  },
  events: {
    /** An offer of ownership was made, accepted, done or ended, to the account or of what it has. */
    'transfers-changed': z.strictObject({}),
  },
  audit: ['transfer.create', 'transfer.accept', 'transfer.complete', 'transfer.end'],
  jobs: ['transfers.carry-out', 'transfers.reseal', 'transfers.upkeep'],
  notifications: {
    /** Somebody offers ownership of things; the name is that of one of them. */
    'transfer-offer': z.strictObject({ count: z.number().int(), name: Words, by: Words }),
    /** What became of own things: an administrator offers them, or somebody accepted or declined one. */
    transfer: z.strictObject({ outcome: z.enum(['offered', 'accepted', 'declined']), name: Words, by: Words }),
  },
})
