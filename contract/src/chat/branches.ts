/** Branches of a chat and their names, and messages as they are listed of all branches. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { plainLine } from '../plain-line.ts'

/** What its owner calls a branch. */
export const BranchName = z.string().trim().min(1).max(120).regex(plainLine, 'leave out line breaks and hidden marks')

/** A message as it stands in a list from which one goes to it. */
export const MessagePreview = z.strictObject({
  id: Id,
  role: z.enum(['user', 'assistant']),
  /** Its first words, or those around what was looked for; empty where it has none. */
  words: z.string(),
  /** What the branch that begins with it is called; null: nothing. */
  branchName: z.string().nullable(),
  /** Whether it is on the active path. */
  active: z.boolean(),
  createdAt: Time,
})
export type MessagePreview = z.infer<typeof MessagePreview>

/**
 * A part of a chat without versions in it: it begins with a message that has siblings, or with the first one, and goes
 * on up to the next message that has any.
 */
export const Branch = z.strictObject({
  /** Of its first message. */
  id: Id,
  /** As its owner called it; null: not at all. */
  name: z.string().nullable(),
  role: z.enum(['user', 'assistant']),
  /** The first words of its first message; empty where it has none. */
  words: z.string(),
  /** Where that is a question: the first words of its answer. null: it has none in this branch. */
  answer: z.string().nullable(),
  messageCount: z.number().int(),
  pinnedCount: z.number().int(),
  /** Whether it is on the active path. */
  active: z.boolean(),
  /** 0 for the active path; other versions of a message follow it one level deeper, with all that follows them. */
  level: z.number().int(),
  createdAt: Time,
})
export type Branch = z.infer<typeof Branch>
