/** What several routes of channels have in common. */
import { z } from 'zod'
import { Id } from '../common.ts'

export const mostMessageLetters = 20_000

export const InChannel = z.strictObject({ channelId: Id })
export const OfMessage = z.strictObject({ messageId: Id })
/** Members only; to everybody else it is not there. */
export const readable = { resource: 'channel', id: 'channelId', right: 'read' } as const
/** One emoji, or a sequence that is shown as one; which ones there are, the server knows. */
export const Emoji = z.string().min(1).max(32)
