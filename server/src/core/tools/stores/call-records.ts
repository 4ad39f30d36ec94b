/** Rows of calls become records here and nowhere else: what was called with what, and what came of it, sealed. */
import { Source } from '@atrium/contract/generation'
import { z } from 'zod'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { CallRow } from '../tables.ts'

const Content = z.strictObject({ arguments: z.string(), serverName: z.string().nullable() })
const Outcome = z.strictObject({
  text: z.string(),
  isError: z.boolean(),
  sources: z.array(Source),
  links: z.array(z.strictObject({ kind: z.string(), id: z.string(), title: z.string() })),
  media: z.array(
    z.strictObject({ fileId: z.string(), mediaType: z.string(), name: z.string(), sizeBytes: z.number().int() }),
  ),
  resources: z
    .array(
      z.strictObject({
        uri: z.string(),
        name: z.string(),
        description: z.string(),
        mediaType: z.string().nullable(),
        text: z.string().nullable(),
      }),
    )
    .optional(),
  /** JSON. */
  structured: z.string().optional(),
  /** It holds what is private and what others may have written, whatever the labels of its tool say. */
  quotes: z.boolean().optional(),
})
export type CallContent = z.infer<typeof Content>
/** What came of a call, whole. */
export type CallOutcome = z.infer<typeof Outcome>

/** A call with its words. Times are milliseconds. */
export interface CallRecord extends Pick<CallRow, 'id' | 'state' | 'source' | 'digest' | 'owner'>, CallContent {
  readonly accountId: string
  readonly chatId: string | null
  readonly subjectId: string
  readonly callId: string
  readonly toolId: string
  readonly toolName: string
  readonly serverId: string | null
  readonly sideEffect: boolean
  readonly decidedBy: CallRow['decided_by']
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

export const sealContent = (keyring: Keyring, id: string, content: CallContent): Promise<Uint8Array> =>
  keyring.sealBytes('tool_calls.content', id, Buffer.from(JSON.stringify(content)))

export const sealOutcome = (keyring: Keyring, id: string, outcome: CallOutcome): Promise<Uint8Array> =>
  keyring.sealBytes('tool_calls.outcome', id, Buffer.from(JSON.stringify(Outcome.parse(outcome))))

/** null: it cannot be read. */
export const openOutcome = async (keyring: Keyring, id: string, sealed: Uint8Array): Promise<CallOutcome | null> => {
  const bytes = await keyring.openBytes('tool_calls.outcome', id, sealed)
  const { data } = Outcome.safeParse(JSON.parse(Buffer.from(bytes).toString()))
  return data ?? null
}

export const rowToRecord = async (keyring: Keyring, row: Omit<CallRow, 'outcome'>): Promise<CallRecord> => {
  const bytes = await keyring.openBytes('tool_calls.content', row.id, row.content)
  return {
    id: row.id,
    state: row.state,
    source: row.source,
    digest: row.digest,
    owner: row.owner,
    ...Content.parse(JSON.parse(Buffer.from(bytes).toString())),
    accountId: row.account_id,
    chatId: row.chat_id === '' ? null : row.chat_id,
    subjectId: row.subject_id,
    callId: row.call_id,
    toolId: row.tool_id,
    toolName: row.tool_name,
    serverId: row.server_id,
    sideEffect: row.side_effect === 1,
    decidedBy: row.decided_by,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}
