/** What several routes of channels have in common. */
import { z } from 'zod'
import { Id } from '../common.ts'

export const InChannel = z.strictObject({ channelId: Id })
export const OfMessage = z.strictObject({ messageId: Id })
/** Members only; to everybody else it is not there. */
export const readable = { resource: 'channel', id: 'channelId', right: 'read' } as const
/** Letters, marks and figures, and nothing that breaks a line or turns the direction of a text. */
export const plainLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u
/** One emoji, or a sequence that is shown as one; which ones there are, the server knows. */
export const Emoji = z.string().min(1).max(32)
