/**
 * What calls ask of people: each question is a row, decided once, by its account, within a day. The process that waits is
 * told; where none does any more, the answer is told to go on, by a job, so that it happens once in all processes.
 */
import type { ToolApproval, ToolDecision } from '@atrium/contract/generation'
import type { AuditActor } from '../accounts/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { CallContext } from './context.ts'
import type { ApprovalAnswer, ApprovalRecord, NewApproval } from './stores/approvals.ts'
import type { AnswerWait } from './types.ts'

/** How long an answer waits for a decision before it ends as waiting, and until when that lets it go on. */
const waitMs = 120_000
export const decidableMs = 24 * 3600_000
/** So many questions are ended or gone on with by one look; all of them are, one look after another. */
const lookedAtOnce = 200

const channel = 'tool_approval'
export const resumeJob = 'tools.resume'

export type PersonDecision = { readonly decision: ToolDecision; readonly answer: ApprovalAnswer }

export interface Asking {
  readonly question: Omit<NewApproval, 'id' | 'createdAt' | 'expiresAt' | 'approval'> & {
    readonly approval: Omit<ToolApproval, 'id' | 'decision' | 'expiresAt'>
  }
  readonly tool: { readonly name: string; readonly serverName: string | null }
  readonly signal: AbortSignal
  /** It waits now: told with the question as it stands. */
  readonly asked: (approval: ToolApproval) => Promise<void>
}

export interface Approvals {
  /** Waits for the decision of a call's question, asked now or by an earlier run. `waiting`: nobody decided in time. */
  ask(asking: Asking): Promise<PersonDecision | 'waiting'>
  /** Refuses with `approval_not_found` and `approval_decided`. `write` happens with the decision. */
  decide(
    accountId: string,
    id: string,
    given: PersonDecision & { readonly actor: AuditActor; write(trx: AnyTransaction): Promise<void> },
  ): Promise<ApprovalRecord>
  /** Ends what waits of an answer, a chat or a call as denied, without letting the answer go on. */
  deny(of: { readonly subjectId: string } | { readonly chatId: string } | { readonly recordId: string }): Promise<void>
  /**
   * A run of an answer ends before its calls have: `write` it within the transaction that ends it, and `tell` after it,
   * so that what was decided meanwhile lets it go on.
   */
  prepareWait(subjectId: string): AnswerWait
  /** What is over by now counts as denied; and what nobody was told of is told. */
  tidy(): Promise<void>
  stop(): void
}

export const createApprovals = (deps: CallContext): Approvals => {
  const { approvalStore: approvals, audit, calls, clock, database, jobs, log, notifications } = deps
  const waiting = new Map<string, () => void>()
  const unlisten = database.listen(
    channel,
    (id) => waiting.get(id)?.(),
    () => waiting.forEach((look) => look()),
  )

  const about = (subjectId: string): string => `tool-answer:${subjectId}`
  const announcementFor = (accountId: string) =>
    deps.prepareAnnouncement(accountId, { type: 'tools-changed', data: {} })

  const create = async ({ question, tool }: Asking): Promise<ApprovalRecord> => {
    const now = clock.now()
    const { accountId, subjectId, chatId, recordId, place, kind } = question
    const id = clock.id()
    const expiresAt = now + decidableMs
    const approval: ToolApproval = { ...question.approval, id, decision: null, expiresAt }
    const insert = await approvals.prepareInsert({ ...question, id, approval, createdAt: now, expiresAt })
    const [publisher, announcement] = await Promise.all([
      notifications.publisher([accountId]),
      announcementFor(accountId),
    ])
    await database.write(async (trx: AnyTransaction) => {
      await insert(trx)
      const facts = { approvalId: id, chatId, asks: kind, tool: tool.name, server: tool.serverName }
      await publisher.publish(trx, {
        accountId,
        kind: 'tool-approval',
        sourceKey: `tool-approval:${id}`,
        about: about(subjectId),
        facts,
      })
      await announcement.write(trx)
    })
    await Promise.all([publisher.tell(), announcement.tell()])
    const made = await approvals.ofCall(recordId, place)
    if (!made) throw new Error('A question is gone as soon as it was asked.')
    return made
  }

  /** Has answers go on of which everything is decided. */
  const resume = async (subjectId: string | null): Promise<void> => {
    const due = await approvals.toResume(subjectId, lookedAtOnce)
    for (const subject of new Set(due.map((one) => one.subjectId))) {
      const ofSubject = due.filter((one) => one.subjectId === subject)
      const [first] = ofSubject
      if (!first) continue
      const ids = ofSubject.map(({ id }) => id)
      // The key makes it one job, whoever is quicker; an answer that stops again on its way gets another.
      const payload = { accountId: first.accountId, subjectId: subject }
      await jobs.enqueue(resumeJob, payload, { accountId: null, key: `${resumeJob}:${subject}`, keyUntil: 'ended' })
      await approvals.markResumed(ids)
    }
    if (due.length === lookedAtOnce) await resume(subjectId)
  }

  /** As denied: taken back, or by the end of its time, with which its answer goes on (`resumes`). */
  const end = async (accountId: string, ids: readonly string[], resumes: boolean): Promise<void> => {
    const [publisher, announcement, tools] = await Promise.all([
      notifications.publisher([accountId]),
      announcementFor(accountId),
      approvals.toolsOf(ids),
    ])
    const auditIds = new Map<string, string>()
    for (const toolId of new Set(tools.values())) auditIds.set(toolId, await deps.auditIds.ofId(toolId))
    await database.write(async (trx: AnyTransaction) => {
      const ended = await approvals.endPending(trx, ids, { now: clock.now(), resumes })
      for (const { id, recordId, kind } of ended)
        await audit.recordIn(trx, {
          actor: resumes ? { kind: 'system', accountId: null } : { kind: 'user', accountId },
          action: 'tool.deny',
          target: { type: 'tool', id: auditIds.get(tools.get(id) ?? '') ?? null },
          details: { callId: recordId, decision: 'deny', asks: kind, reason: resumes ? 'late' : 'withdrawn' },
        })
      if (!resumes) await calls.endAsking(trx, ids, clock.now())
      await publisher.withdraw(trx, { sourceKeys: ids.map((id) => `tool-approval:${id}`), accountId })
      await announcement.write(trx)
    }, 'audit')
    await Promise.all([publisher.tell(), announcement.tell()])
    for (const id of ids) await database.notify(channel, id)
  }

  return {
    async ask(asking) {
      const { question, signal } = asking
      const known = await approvals.ofCall(question.recordId, question.place)
      let now = known ?? (await create(asking))
      const { id } = now
      if (now.waits && now.state === 'pending') await approvals.stopWaiting(id)
      // Listened for before it is looked at, so that nothing falls between.
      const waiter = openWaiter(waitMs, signal)
      waiting.set(id, waiter.tell)
      if (now.state === 'pending') await asking.asked(now.approval)
      try {
        for (;;) {
          now = (await approvals.find(question.accountId, id)) ?? { ...now, state: 'ended', decision: 'deny' }
          if (now.state !== 'pending') return { decision: now.decision ?? 'deny', answer: now.answer }
          const news = await waiter.next()
          if (news === 'aborted') break
          if (news !== 'late') continue
          // Nobody could go on with it later, so that its tool goes on without an answer.
          if (question.isBound) await end(question.accountId, [id], false)
          else if (await approvals.startWaiting(id)) return 'waiting'
        }
      } finally {
        waiting.delete(id)
        waiter.close()
      }
      // Stop takes the question back; the end of the process leaves it to be decided.
      if (deps.isLeaving()) await approvals.startWaiting(id)
      else await end(question.accountId, [id], false)
      throw signal.reason
    },

    async decide(accountId, id, { decision, answer, actor, write }) {
      const before = await approvals.find(accountId, id)
      if (!before) throw fail('approval_not_found')
      if (before.state !== 'pending') throw fail('approval_decided')
      const taken = before.isTemporary && decision === 'allow_chat' ? 'allow_once' : decision
      const record = await calls.byId(accountId, before.recordId)
      const [decideOnce, publisher, announcement, toolId] = await Promise.all([
        approvals.prepareDecision(before, taken, answer),
        notifications.publisher([accountId]),
        announcementFor(accountId),
        record && deps.auditIds.ofId(record.toolId),
      ])
      await database.write(async (trx: AnyTransaction) => {
        if (!(await decideOnce(trx, clock.now()))) throw fail('approval_decided')
        await write(trx)
        await audit.recordIn(trx, {
          ...actor,
          action: decision === 'deny' ? 'tool.deny' : 'tool.allow',
          target: { type: 'tool', id: toolId },
          details: { callId: before.recordId, decision: taken, asks: before.kind },
        })
        await publisher.withdraw(trx, { sourceKeys: [`tool-approval:${id}`], accountId })
        await announcement.write(trx)
      }, 'audit')
      await Promise.all([publisher.tell(), announcement.tell()])
      await database.notify(channel, id)
      await resume(before.subjectId)
      return { ...before, state: 'decided', decision: taken, answer }
    },

    async deny(of) {
      const pending = await approvals.pendingOf(of)
      for (const accountId of new Set(pending.map((one) => one.accountId)))
        await end(
          accountId,
          pending.filter((one) => one.accountId === accountId).map(({ id }) => id),
          false,
        )
    },

    prepareWait: (subjectId) => ({
      write: (trx) => approvals.leaveWaiting(trx, subjectId),
      tell: () => resume(subjectId),
    }),

    async tidy() {
      let count = 0
      for (let isMore = true; isMore; ) {
        const expired = await approvals.expired(clock.now(), lookedAtOnce)
        for (const [accountId, own] of Map.groupBy(expired, (one) => one.accountId))
          await end(
            accountId,
            own.map(({ id }) => id),
            true,
          )
        count += expired.length
        isMore = expired.length === lookedAtOnce
      }
      await resume(null)
      if (count > 0) log.info('questions of tools were not decided in time', { count })
    },

    stop: unlisten,
  }
}

interface Waiter {
  /** There may be something new. */
  readonly tell: () => void
  /** What came first since it was asked last; the end of the time, or of the signal, stays. */
  next(): Promise<'news' | 'late' | 'aborted'>
  close(): void
}

const openWaiter = (ms: number, signal: AbortSignal): Waiter => {
  let hasNews = false
  let isLate = false
  let wake: () => void = () => undefined
  const tell = () => {
    hasNews = true
    wake()
  }
  const abort = () => wake()
  const timer = setTimeout(() => {
    isLate = true
    wake()
  }, ms)
  signal.addEventListener('abort', abort, { once: true })
  return {
    tell,
    async next() {
      if (!hasNews && !isLate && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve))
      if (signal.aborted) return 'aborted'
      if (hasNews) {
        hasNews = false
        return 'news'
      }
      return 'late'
    },
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
