/** What the rest of the product derives from this area: its error codes, events, audit actions and scopes. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { OptionalWords, Words } from '../notifications/words.ts'

export const toolsDescription = describeArea({
  name: 'tools',
  tag: 'chat-tools',
  errors: {
    tool_not_found: [404, 'Tool not found.'],
    tool_call_not_found: [404, 'Tool call not found.'],
    approval_decided: [409, 'This was already decided or has expired.'],
  },
  events: {
    /** Rules of who may use which tool, or what waits for a decision or stands. */
    'tools-changed': z.strictObject({}),
  },
  notifications: {
    /** A call waits for its person: to be allowed, or to be told something. */
    'tool-approval': z.strictObject({
      approvalId: z.string(),
      chatId: z.string().nullable(),
      asks: z.enum(['call', 'question', 'form', 'url', 'sign-in']),
      tool: Words,
      server: OptionalWords,
    }),
  },
  audit: ['tool.call', 'tool.allow', 'tool.deny', 'tool.refuse', 'tool.approval-revoke', 'tool.policy'],
  jobs: ['tools.resume', 'tools.tidy'],
  scopes: ['read', 'write'],
})
