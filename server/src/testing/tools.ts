/** The tools of an instance for tests that stand below the whole app: real parts, and as many processes as are wanted. */
import { randomBytes } from 'node:crypto'
import type { ToolCall } from '@atrium/contract/generation'
import type { toolsRoutes } from '@atrium/contract/tools'
import type { Input, Output } from '@atrium/contract/route'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { notificationMigrations } from '../core/notifications/index.ts'
import {
  createTools,
  declareTools,
  type Toolkit,
  type ToolkitRequest,
  toolsMigrations,
  toolsSettings,
} from '../core/tools/index.ts'
import { defineTool, type Tool } from '../platform/areas/tool.ts'
import { createAudit } from '../platform/audit/index.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { eventMigrations } from '../platform/events/tables.ts'
import { createFiles } from '../platform/files/files.ts'
import { fileMigrations } from '../platform/files/tables.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { jobMigrations } from '../platform/jobs/tables.ts'
import { createLog } from '../platform/log/log.ts'
import { openVault } from '../platform/vault/vault.ts'
import type { Part } from '../providers/types.ts'
import { testAccountMigrations } from './accounts.ts'
import { insertAccount } from './chats.ts'
import { realClock } from './clock.ts'
import type { Open } from './databases.ts'
import { createTestFeatures } from './features.ts'
import { createTestNotifications } from './notifications.ts'
import { settingsInMemory } from './settings.ts'

export const plainEffects = { sideEffect: false, readsPrivateData: false, readsForeignText: false, sendsData: false }

/** Says its text again; `over` makes something else of it. */
export const echoTool = (over: Partial<Tool> = {}): Tool =>
  Object.assign(
    defineTool({
      name: 'echo',
      description: 'Says it again.',
      arguments: z.strictObject({ text: z.string() }),
      ...plainEffects,
      run: async ({ text }) => ({ text }),
    }),
    over,
  )

type Body = Input<typeof toolsRoutes.decideApproval>['body']
type Ask = Partial<Omit<ToolkitRequest, 'nextSource'>>

/** What was told of a call, and what came of it. */
export interface TestCall {
  readonly told: readonly Part[]
  /** As a page has it now. */
  shown(): ToolCall
  readonly statuses: () => readonly (ToolCall['status'] | undefined)[]
  readonly result: ReturnType<Toolkit['run']>
  readonly stop: () => void
}

/** An instance with accounts `ann` and `ben`. */
export const openTestTools = async (open: Open) => {
  const database = await open([
    ...testAccountMigrations,
    ...eventMigrations,
    ...fileMigrations,
    ...jobMigrations,
    ...notificationMigrations,
    ...toolsMigrations,
  ])
  await insertAccount(database, 'ann')
  await insertAccount(database, 'ben')
  let ahead = 0
  let isHeld = false
  const clock = { ...realClock, now: () => realClock.now() + ahead }
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const log = createLog({ level: 'silent' })
  const settings = settingsInMemory({ database, vault, clock }).bind(toolsSettings).access
  const resumed: string[] = []
  const announced: string[] = []

  const startProcess = async (tools: readonly Tool[]) => {
    const processId = clock.id()
    // One presence is held with a database: that of the process that is asked for first.
    if (!isHeld) await database.holdPresence(processId)
    isHeld = true
    const parts = { database, vault, clock, log, processId }
    const events = createEventLog(parts)
    const jobs = createJobs({ ...parts, events, concurrency: 4, tuning: { backoffMs: 20, pollMs: 50 } })
    const announcement = async (accountId: string) => ({
      write: async () => undefined,
      tell: async () => void announced.push(accountId),
    })
    const audit = createAudit({ database, vault, clock })
    const features = createTestFeatures(database, () => 'user')
    features.register(declareTools(settings))
    const area = createTools({
      ...parts,
      announce: async (accountId) => void announced.push(accountId),
      announceAll: async () => void announced.push('all'),
      prepareAnnouncement: announcement,
      audit,
      files: createFiles({ database, vault, clock }),
      jobs,
      notifications: createTestNotifications({ database, vault, clock }),
      settings,
      recordCall: null,
      countsCalls: async () => true,
      roleOf: async () => 'user',
      features,
      timeZoneOf: async () => 'Asia/Tokyo',
    })
    area.api.addBuiltins([...tools, ...area.tools])
    area.api.onDecided(async ({ subjectId }) => void resumed.push(subjectId))
    jobs.start([area.jobs])
    onTestFinished(async () => {
      area.stop()
      await jobs.stop()
      await events.stop()
    })
    let sources = 0

    const kit = async (over: Ask = {}): Promise<Toolkit> => {
      const request = { accountId: 'ann', chatId: 'chat', subjectId: 'answer', runId: 'run', question: 'Say it' }
      const opened = await area.api.open({
        ...request,
        ids: null,
        contextWindow: null,
        vision: null,
        nextSource: () => (sources += 1),
        ...over,
      })
      if (!opened) throw new Error('There are no tools.')
      return opened
    }
    const start = (toolkit: Toolkit, name: string, args: unknown, id = 'call_1'): TestCall => {
      const told: Part[] = []
      const controller = new AbortController()
      const text = typeof args === 'string' ? args : JSON.stringify(args)
      const result = toolkit.run(
        { id, name, arguments: text },
        { signal: controller.signal, tell: (part) => void told.push(part) },
      )
      result.catch(() => undefined)
      const calls = () => told.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []))
      return {
        told,
        result,
        stop: () => controller.abort(new Error('stopped')),
        statuses: () => calls().map(({ status }) => status),
        shown: () => {
          const last = calls().at(-1)
          if (!last) throw new Error('Nothing was told of the call yet.')
          return last
        },
      }
    }
    const run = async (toolkit: Toolkit, name: string, args: unknown, id = 'call_1') => {
      const call = start(toolkit, name, args, id)
      const result = await call.result
      if (result.kind !== 'result') throw new Error('It waits.')
      return { ...result, call }
    }
    /** As a route does. */
    const contextOf = (accountId: string) =>
      ({
        caller: { accountId, sessionId: 'session', role: 'user', via: 'cookie', token: null },
        requestId: 'request',
        address: '127.0.0.1',
        auditedHere: () => undefined,
      }) as never
    const approvals = async (accountId = 'ann') =>
      (await area.handlers.approvals({} as never, contextOf(accountId))) as Output<typeof toolsRoutes.approvals>
    const decide = (approvalId: string, body: Body, accountId = 'ann') =>
      area.handlers.decideApproval({ params: { approvalId }, query: undefined, body }, contextOf(accountId))
    const revoke = (approvalId: string, accountId = 'ann') =>
      area.handlers.revokeApproval({ params: { approvalId }, query: undefined, body: undefined }, contextOf(accountId))
    return { ...area, audit, contextOf, kit, start, run, approvals, decide, revoke }
  }

  return {
    database,
    vault,
    clock,
    settings,
    resumed,
    announced,
    startProcess,
    travel: (ms: number) => void (ahead += ms),
  }
}
