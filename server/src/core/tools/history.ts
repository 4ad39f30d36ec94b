/** The own history of calls, and all that one of them gave. */
import type { ToolCallEntry, toolsRoutes } from '@atrium/contract/tools'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ToolsContext } from './context.ts'
import { wholeText } from './result-text.ts'
import type { CallRecord } from './stores/call-records.ts'
import type { CallStore } from './stores/calls.ts'
import type { ExportedCall } from './types.ts'

type HistoryRoutes = Pick<Handlers<typeof toolsRoutes>, 'calls' | 'callResult' | 'callMedia'>

/** Of these nothing runs when a browser shows them. */
const shownTypes = /^(?:image\/(?:png|jpeg|webp|gif|avif)|audio\/[\w.+-]+)$/

export const historyHandlers = ({ calls, files, history }: ToolsContext): HistoryRoutes => {
  const outcomeOf = async (accountId: string, id: string) => {
    const outcome = await calls.outcomeOf(accountId, id)
    if (!outcome) throw fail('tool_call_not_found')
    return outcome
  }

  return {
    async calls({ query }, { caller }) {
      const { items, nextCursor } = await history.page(caller.accountId, query)
      return { items: items.map(toCallEntry), nextCursor }
    },

    async callResult({ params: { recordId } }, { caller }) {
      const outcome = await outcomeOf(caller.accountId, recordId)
      return {
        body: Buffer.from(wholeText(outcome)),
        mediaType: 'text/plain; charset=utf-8',
        fileName: 'result.txt',
        disposition: 'attachment',
      }
    },

    async callMedia({ params: { recordId, index } }, { caller }) {
      const { media } = await outcomeOf(caller.accountId, recordId)
      const one = media[index]
      const file = one && (await files.open(caller.accountId, one.fileId))
      if (!one || !file) throw fail('tool_call_not_found')
      const isShown = shownTypes.test(one.mediaType)
      return {
        body: file,
        mediaType: isShown ? one.mediaType : 'application/octet-stream',
        fileName: plainName(one.name),
        disposition: isShown ? 'inline' : 'attachment',
        immutable: true,
      }
    },
  }
}

/** One with all that it gave, which may be megabytes. */
export const exportCall = async (calls: Pick<CallStore, 'outcomeOf'>, record: CallRecord): Promise<ExportedCall> => {
  const outcome = await calls.outcomeOf(record.accountId, record.id)
  return { ...toCallEntry(record), arguments: record.arguments, result: outcome && wholeText(outcome) }
}

/** Names of media are untrusted text. */
const plainName = (name: string): string =>
  name
    .replace(/[\p{C}/\\:*?"<>|]+/gu, '_')
    .slice(0, 100)
    .toWellFormed() || 'file'

export const toCallEntry = (record: CallRecord): ToolCallEntry => ({
  id: record.id,
  toolId: record.toolId,
  toolName: record.toolName,
  source: record.source,
  serverId: record.serverId,
  serverName: record.serverName,
  sideEffect: record.sideEffect,
  status: record.state === 'asking' ? 'awaiting_approval' : record.state,
  decidedBy: record.decidedBy,
  chatId: record.chatId,
  subjectId: record.subjectId,
  callId: record.callId,
  createdAt: toTime(record.createdAt),
  startedAt: record.startedAt === null ? null : toTime(record.startedAt),
  endedAt: record.endedAt === null ? null : toTime(record.endedAt),
})

const toTime = (at: number): string => new Date(at).toISOString()
