/** Pieces that the routes of a chat share. */
import { z } from 'zod'
import { Id } from '../common.ts'

export const Session = z.strictObject({ sessionId: Id })
export const InSession = Session.extend({ messageId: Id })
export const Title = z.string().trim().min(1).max(200)
export const Content = z.string().max(500_000)
export const AttachmentIds = z.array(Id).max(20)
