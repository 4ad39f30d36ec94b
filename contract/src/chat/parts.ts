/** Pieces that the routes of a chat share. */
import { z } from 'zod'
import { Id } from '../common.ts'
import { longestMessage } from '../message-limits.ts'

export const Session = z.strictObject({ sessionId: Id })
export const InSession = Session.extend({ messageId: Id })

/** A chat that the caller may read: an own one, or one that is shared, by itself or with its folder. */
export const readable = { resource: 'chat', id: 'sessionId', right: 'read' } as const
/** A chat is changed by its owner alone, whoever else reads it. */
export const owned = { resource: 'chat', id: 'sessionId', right: 'owner' } as const

export const Title = z.string().trim().min(1).max(200)
export const Content = z.string().max(longestMessage)
export const AttachmentIds = z.array(Id).max(20)
export const DocumentIds = z.array(Id).max(50)
