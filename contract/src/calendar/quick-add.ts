/** An event in words: what was understood of them, as a proposal that nobody wrote yet. */
import { z } from 'zod'
import { EventContent } from './shapes.ts'

export const mostQuickAddLetters = 500

/** What can be posted as an event, once a person has looked at it. */
export const QuickAddProposal = z.strictObject({
  event: EventContent.omit({ calendarId: true, guests: true }),
  /** The caller’s default model, or without one the rules that come with Atrium, for English and Arabic. */
  by: z.enum(['model', 'rules']),
  /** What the words don’t say: without a day it is today, without a time it lasts all day. */
  missing: z.array(z.enum(['day', 'time'])),
  /** Words that seem to be about when it is, and were not understood. They are part of the title. */
  notUnderstood: z.array(z.string()),
})
export type QuickAddProposal = z.infer<typeof QuickAddProposal>
