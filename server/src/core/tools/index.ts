/**
 * One catalogue of what models may do, one policy of who decides, and one runner: every call of a tool goes through here,
 * with the rights of the account that asks. Areas offer tools in what `create` gives, and servers are sources. It never
 * takes a tool by what a model calls it: the entry of the catalogue decides what runs.
 */
import { z } from 'zod'
import { fail } from '../../platform/http/refusal.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import { createPoller } from '../../platform/poller.ts'
import { createSlot } from '../../platform/slot.ts'
import { type Feature, modeRule } from '../access/index.ts'
import { createAskUser } from './builtins/ask-user.ts'
import { createReadResult } from './builtins/read-result.ts'
import { calculateTool } from './builtins/calculate/index.ts'
import { createCurrentTime } from './builtins/current-time.ts'
import { createCatalogue } from './catalogue.ts'
import type { CallContext, ToolsContext, ToolsDeps } from './context.ts'
import { createApprovals, resumeJob } from './approvals.ts'
import { createAuditIds } from './audit-id.ts'
import { createExecute } from './execute.ts'
import { exportCall } from './history.ts'
import { toolsHandlers } from './handlers.ts'
import { createApprovalStore } from './stores/approvals.ts'
import { createCallStore } from './stores/calls.ts'
import { createFoundStore } from './stores/found.ts'
import { createHistoryStore } from './stores/history.ts'
import { createPolicyStore } from './stores/policies.ts'
import { createStandingStore } from './stores/standing.ts'
import { createStandingReview } from './standing.ts'
import { createToolUsageStore } from './stores/usage.ts'
import { recordRefusal } from './refusals.ts'
import { createRunningCalls } from './running.ts'
import { findToolsName, openOfferedTools, readOfferedBefore, specsOf } from './offered-tools.ts'
import { isNamed, pickByIds, usableOf } from './tool-lists.ts'
import { createToolkit } from './toolkit.ts'
import type { ToolsFields } from './settings.ts'
import type { GivenFiles, Tool, Tools, ToolSource, UsableTools } from './types.ts'

export { toolsMigrations, toolsSealed } from './tables.ts'

export { toolsSettings } from './settings.ts'
export { hiddenToolName } from './audit-id.ts'
export type * from './types.ts'

/** How many a question may name. */
const mostIds = 64
/** Who may have tools used. */
export const declareTools = (settings: Pick<BoundSettings<ToolsFields>, 'change' | 'read'>): Feature => ({
  name: 'tools',
  async read() {
    const { mode, groupIds } = await settings.read()
    return modeRule(mode, groupIds)
  },
  save: async ({ mode, groupIds }) => void (await settings.change({ mode, groupIds: [...groupIds] })),
})

const reviewChannel = 'tools_review'
/** News may be lost, or come late: no call goes on for longer than this without its right. */
const reviewEveryMs = 1000
const tidyJob = 'tools.tidy'
const tidyEveryMs = 300_000

export const createTools = (deps: ToolsDeps) => {
  const builtins: Tool[] = []
  const sources: ToolSource[] = []
  const readModes = async () => (await deps.settings.read()).builtin.value
  const roleOfUser = async (accountId: string) => {
    const role = await deps.roleOf(accountId)
    return role !== null && (await deps.features.allows('tools', accountId, role)) ? role : null
  }
  const policies = createPolicyStore(deps.database)
  const catalogue = createCatalogue({
    builtins: () => builtins,
    sources: () => sources,
    roleOfUser,
    builtinModes: readModes,
    ownModes: (accountId) => policies.list(accountId),
  })
  let isLeaving = false
  const calls = createCallStore(deps)
  const standing = createStandingStore(deps.database)
  const found = createFoundStore(deps.database)
  const callContext: CallContext = {
    ...deps,
    calls,
    approvalStore: createApprovalStore(deps),
    standing,
    history: createHistoryStore(deps),
    usage: createToolUsageStore(deps.database),
    found,
    running: createRunningCalls(() => reviews.start()),
    isLeaving: () => isLeaving,
    auditIds: createAuditIds(deps.vault, () => sources),
    digestOf: (text) => deps.vault.blindIndex('tools.arguments', text),
  }
  const approvals = createApprovals(callContext)
  const context: ToolsContext = {
    ...callContext,
    approvals,
    policies,
    builtins: () => builtins,
    catalogue,
    execute: createExecute(deps.log),
  }
  /** Ends what runs here and may not any more. */
  const review = async (accountId: string): Promise<void> => {
    if (!context.running.accountIds().includes(accountId)) return
    const { tools } = await catalogue.list(accountId)
    const usable = tools.filter(({ mode }) => mode !== 'never').map(({ id }) => id)
    context.running.keepOnly(accountId, new Set([...usable, `builtin:${findToolsName}`]))
  }
  const notReviewed = (error: unknown): void => deps.log.error('running calls could not be reviewed', { error })
  const reviews = createPoller({
    everyMs: reviewEveryMs,
    isNeeded: () => context.running.accountIds().length > 0,
    run: async () => void (await Promise.all(context.running.accountIds().map((id) => review(id).catch(notReviewed)))),
    failed: notReviewed,
  })
  const unlisten = deps.database.listen(
    reviewChannel,
    (accountId) => void review(accountId).catch(notReviewed),
    reviews.now,
  )
  const requestReview = (accountId: string): void =>
    void deps.database
      .notify(reviewChannel, accountId)
      .catch((error: unknown) => deps.log.error('other processes were not told of a lost right', { error }))
  const standingReview = createStandingReview(context)
  const rightsChanged = (accountId: string): void => {
    requestReview(accountId)
    standingReview.soon(accountId)
  }
  const resume = createSlot<Parameters<Tools['onDecided']>[0]>('What goes on with answers that wait')
  const givenFiles = createSlot<GivenFiles>('What keeps files that people give to questions')
  const changed = (accountId: string) => deps.announce(accountId, { type: 'tools-changed', data: {} })

  const listUsable = async (accountId: string): Promise<UsableTools> => {
    const { tools } = await catalogue.list(accountId)
    return { accountId, tools: usableOf(tools) }
  }
  /** Those that a question names, or all that there are. */
  const choose = async ({ accountId, tools }: UsableTools, ids: readonly string[] | null) => {
    if (ids === null) return tools
    if (ids.length <= mostIds && isNamed(tools, ids)) return pickByIds(tools, ids)
    await recordRefusal(deps, accountId, null, { reason: 'unavailable' })
    throw fail('tool_unavailable')
  }

  const api: Tools = {
    addBuiltins: (tools) => {
      for (const tool of tools) {
        if (builtins.some(({ name }) => name === tool.name)) throw new Error(`The tool ${tool.name} is there twice.`)
        builtins.push(tool)
      }
    },
    addSource: (source) => void sources.push(source),
    maxRounds: async () => (await deps.settings.read()).maxRounds.value,
    mayUse: async (accountId) => (await roleOfUser(accountId)) !== null,
    listUsable,
    async open(request) {
      const { accountId, usable, ids } = request
      const before = readOfferedBefore(context, request)
      // A failure is handled where it is used.
      before.catch(() => undefined)
      const tools = await choose(usable?.accountId === accountId ? usable : await listUsable(accountId), ids)
      return tools.length === 0 ? null : await createToolkit(context, request, tools, before)
    },
    requireIds: async (usable, ids) => void (await choose(usable, ids)),
    keepUsable: ({ tools }, ids) => ids.slice(0, mostIds).filter((id) => isNamed(tools, [id])),
    async describe(request) {
      const { tools: usable } = await listUsable(request.accountId)
      const tools = request.ids === null ? usable : pickByIds(usable, request.ids)
      return tools.length === 0 ? [] : specsOf(await openOfferedTools(context, request, tools))
    },
    onDecided: (hear) => resume.fill(hear),
    prepareWait: approvals.prepareWait,
    onFiles: (files) => givenFiles.fill(files),
    hadEffect: calls.hadEffect,
    denyWaiting: (_accountId, subjectId) => approvals.deny({ subjectId }),
    async removeChat(accountId, chatId) {
      await approvals.deny({ chatId })
      await standing.removeChat(chatId)
      await found.removeChat(chatId)
      await deps.files.remove(await calls.removeOf(accountId, chatId))
    },
    async *history(accountId) {
      for await (const records of context.history.all(accountId))
        for (const record of records) yield await exportCall(calls, record)
    },
    async endStanding(toolIds) {
      for (const accountId of await standing.removeOfTools(toolIds)) await changed(accountId)
    },
  }
  return {
    api,
    handlers: toolsHandlers({ ...context, givenFiles: () => givenFiles.get() }),
    tools: [createCurrentTime(deps), calculateTool, createAskUser(() => givenFiles.get()), createReadResult(calls)],
    jobs: {
      [resumeJob]: defineJob({
        payload: z.strictObject({ accountId: z.string(), subjectId: z.string() }),
        attempts: 12,
        timeoutMs: 60_000,
        priority: 'high' as const,
        run: (waiting) => resume.get()(waiting),
      }),
      [tidyJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs: 60_000,
        async run() {
          await approvals.tidy()
          await context.usage.removeOld(deps.clock.now())
        },
      }),
    },
    every: [[tidyJob, tidyEveryMs]] as const,
    leave() {
      isLeaving = true
    },
    on: {
      'tools-changed': rightsChanged,
      'account-changed': rightsChanged,
      'features-changed': rightsChanged,
      // Which servers an account may use, by grants too, and what of them.
      'tool-servers-changed': standingReview.soon,
    },
    stop() {
      unlisten()
      reviews.stop()
      approvals.stop()
    },
    async accountRemoved(accountId: string) {
      await standing.removeAccount(accountId)
      await found.removeAccount(accountId)
      await policies.removeAccount(accountId)
      await context.usage.removeAccount(accountId)
      await deps.files.remove(await calls.removeOf(accountId))
    },
  }
}
