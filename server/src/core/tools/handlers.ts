/** What people ask about tools and decide about calls, and what administrators say of them. */
import type { CatalogEntry, PendingApproval, toolsRoutes } from '@atrium/contract/tools'
import { actorOf } from '../../platform/audit/index.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { keepPacked } from '../../platform/http/packed-answer.ts'
import { fail } from '../../platform/http/refusal.ts'
import { appCallHandlers } from './app-calls.ts'
import { readArguments } from './arguments.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { historyHandlers } from './history.ts'
import { filesOf, requireAnswers } from './answers.ts'
import { recordRefusal } from './refusals.ts'
import { currentStanding } from './standing.ts'
import { usageHandlers } from './usage.ts'
import type { ApprovalRecord } from './stores/approvals.ts'
import type { GivenFiles } from './types.ts'

interface HandlersContext extends ToolsContext {
  readonly givenFiles: () => GivenFiles
}

export const toolsHandlers = (context: HandlersContext): Handlers<typeof toolsRoutes> => {
  const { announceAll, approvals, approvalStore, audit, builtins, calls, catalogue, clock, database } = context
  const { policies, settings, standing } = context
  const readAccess = async () => {
    const { mode, maxRounds } = await settings.read()
    return {
      mode: mode.value,
      lockedByEnv: mode.source === 'environment',
      maxRounds: maxRounds.value,
      maxRoundsLockedByEnv: maxRounds.source === 'environment',
    }
  }
  const changed = () => announceAll({ type: 'tools-changed', data: {} })

  const present = async (record: ApprovalRecord): Promise<PendingApproval | null> => {
    const call = await calls.byId(record.accountId, record.recordId)
    return (
      call && {
        id: record.id,
        approval: record.approval,
        chatId: record.chatId,
        subjectId: record.subjectId,
        callId: call.callId,
        toolId: call.toolId,
        toolName: call.toolName,
        source: call.source,
        serverId: call.serverId,
        serverName: call.serverName,
        sideEffect: call.sideEffect,
        arguments: call.arguments,
        createdAt: new Date(record.createdAt).toISOString(),
      }
    )
  }

  return {
    ...historyHandlers(context),
    ...usageHandlers(context),
    ...appCallHandlers(context),
    access: readAccess,

    async updateAccess({ body: { mode, maxRounds } }) {
      settings.requireFree({ mode, maxRounds })
      if (mode !== undefined) await context.features.save('tools', { mode })
      if (maxRounds !== undefined) await settings.change({ maxRounds })
      await changed()
      return await readAccess()
    },

    async catalog(_input, { caller }) {
      const { available, tools, notes } = await catalogue.list(caller.accountId)
      return available ? presentCatalogue(tools, notes) : { available, tools: [], notes: [] }
    },

    async saveBuiltin({ params: { name }, body: { mode } }) {
      if (!builtins().some((tool) => tool.name === name)) throw fail('tool_not_found')
      await settings.change(({ builtin }) => {
        const { [name]: _, ...others } = builtin.value
        return { builtin: mode === null ? others : { ...others, [name]: mode } }
      })
      await changed()
      return { name, mode }
    },

    async savePolicy({ body: { toolId, mode } }, call) {
      const { accountId } = call.caller
      const { tools } = await catalogue.list(accountId)
      const tool = tools.find(({ id }) => id === toolId)
      if (!tool) throw fail('tool_not_found')
      const announcement = await context.prepareAnnouncement(accountId, { type: 'tools-changed', data: {} })
      await database.write(async (trx: AnyTransaction) => {
        await policies.save(trx, accountId, toolId, mode, clock.now())
        const target = { type: 'tool', id: context.auditIds.ofTool(tool) }
        await audit.recordIn(trx, { ...actorOf(call), action: 'tool.policy', target, details: { mode } })
        await announcement.write(trx)
      }, 'audit')
      call.auditedHere()
      await announcement.tell()
      const saved = (await catalogue.list(accountId)).tools.find(({ id }) => id === toolId)
      if (!saved) throw fail('tool_not_found')
      return toEntry(saved)
    },

    async approvals(_input, { caller: { accountId } }) {
      const [pending, stands] = await Promise.all([
        approvalStore.pending(accountId, clock.now()),
        currentStanding(context, accountId),
      ])
      const presented = await Promise.all(pending.map(present))
      return { pending: presented.filter((one) => one !== null), standing: stands }
    },

    async decideApproval({ params: { approvalId }, body: { decision, arguments: edited, answers } }, call) {
      const { accountId } = call.caller
      const before = await approvalStore.find(accountId, approvalId)
      if (!before) throw fail('approval_not_found')
      if (before.state !== 'pending') throw fail('approval_decided')
      const record = await calls.byId(accountId, before.recordId)
      if (!record) throw fail('approval_not_found')
      const isOffered = before.approval.decisions.includes(decision)
      if (!isOffered && !(before.isTemporary && decision === 'allow_chat'))
        throw fail('validation_failed', undefined, [{ path: 'body.decision', message: 'isn’t offered' }])
      const isAllowed = decision !== 'deny'
      const { tools } = isAllowed && before.kind === 'call' ? await catalogue.list(accountId) : { tools: [] }
      const tool = tools.find(({ id }) => id === record.toolId)
      if (isAllowed && before.kind === 'call') {
        // What is allowed is what was shown: of another definition the card said nothing.
        if (!tool || tool.mode === 'never' || tool.digest !== record.digest) {
          const toolId = await context.auditIds.ofId(record.toolId)
          await recordRefusal(context, accountId, toolId, { callId: record.id, reason: 'unavailable' })
          throw fail('tool_unavailable')
        }
        const read = await readArguments(tool, edited ?? record.arguments)
        if ('fault' in read)
          throw fail('validation_failed', read.fault, [{ path: 'body.arguments', message: read.fault }])
      } else if (isAllowed) requireAnswers(before.approval, answers ?? {})
      const { chatId, recordId: callId } = before
      const files = isAllowed ? filesOf(before.approval, answers ?? {}) : []
      const keepFiles =
        files.length > 0 && chatId !== null
          ? await context.givenFiles().prepareKeep({ accountId, chatId, callId, files })
          : async () => true
      if (!keepFiles) throw fileGone()
      const lasting = decision === 'always_allow_tool' || (decision === 'allow_chat' && !before.isTemporary)
      const decided = await approvals.decide(accountId, approvalId, {
        decision,
        answer: isAllowed ? { ...(edited !== undefined && { arguments: edited }), ...(answers && { answers }) } : {},
        actor: actorOf(call),
        async write(trx: AnyTransaction) {
          if (!(await keepFiles(trx))) throw fileGone()
          if (!tool || !lasting) return
          await standing.add(trx, accountId, {
            id: clock.id(),
            toolId: tool.id,
            chatId: decision === 'allow_chat' ? chatId : null,
            digest: tool.digest,
            createdAt: clock.now(),
          })
        },
      })
      call.auditedHere()
      return { id: decided.id, decision: decided.decision ?? decision }
    },

    async revokeApproval({ params: { approvalId } }, call) {
      const { accountId } = call.caller
      const toolId = await standing.toolOf(accountId, approvalId)
      if (toolId === null) throw fail('approval_not_found')
      const [announcement, auditId] = await Promise.all([
        context.prepareAnnouncement(accountId, { type: 'tools-changed', data: {} }),
        context.auditIds.ofId(toolId),
      ])
      await database.write(async (trx: AnyTransaction) => {
        if (!(await standing.remove(trx, accountId, approvalId))) throw fail('approval_not_found')
        const target = { type: 'tool', id: auditId }
        await audit.recordIn(trx, { ...actorOf(call), action: 'tool.approval-revoke', target })
        await announcement.write(trx)
      }, 'audit')
      call.auditedHere()
      await announcement.tell()
      return {}
    },
  }
}

/** The same answer for the same list, with the notes that it was given with last: of thousands of tools it has megabytes. */
const presentCatalogue = (tools: readonly CatalogItem[], notes: readonly string[]) => {
  const before = presented.get(tools)
  const key = JSON.stringify(notes)
  if (before?.key === key) return before.answer
  const shown = before?.answer.tools ?? tools.filter(({ isForAppAlone }) => !isForAppAlone).map(toEntry)
  const answer = keepPacked({ available: true, tools: shown, notes: [...notes] })
  presented.set(tools, { key, answer })
  return answer
}
const presented = new WeakMap<
  readonly CatalogItem[],
  { readonly key: string; readonly answer: { available: boolean; tools: CatalogEntry[]; notes: string[] } }
>()

const fileGone = () =>
  fail('validation_failed', undefined, [{ path: 'body.answers', message: 'names a file that is not in this chat' }])

const toEntry = (tool: CatalogItem): CatalogEntry => ({
  id: tool.id,
  name: tool.name,
  description: tool.description,
  source: tool.source,
  serverId: tool.server?.id ?? null,
  serverName: tool.server?.name ?? null,
  sideEffect: tool.sideEffect,
  readsPrivateData: tool.readsPrivateData,
  readsForeignText: tool.readsForeignText,
  sendsData: tool.sendsData,
  mode: tool.mode,
  rule: tool.rule,
  ownMode: tool.ownMode,
})
