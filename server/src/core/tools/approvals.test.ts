import { expect, test, onTestFinished, vi } from 'vitest'
import type { Tool } from '../../platform/areas/tool.ts'
import type { CatalogTool } from './index.ts'
import type { ToolsTables } from './tables.ts'
import { onBothDatabases, withDatabase } from '../../testing/databases.ts'
import { echoTool, openTestTools } from '../../testing/tools.ts'

/** Counts how often it ran, and with what. */
const writes = (over: Partial<Tool> = {}) => {
  const ran: unknown[] = []
  const tool = echoTool({
    name: 'write',
    sideEffect: true,
    run: async (args) => {
      ran.push(args['text'])
      return { text: `wrote ${String(args['text'])}` }
    },
    ...over,
  })
  return { tool, ran }
}

onBothDatabases('what is asked about', (open) => {
  test('nobody who decides for two minutes lets the answer go, and not before', async () => {
    const { startProcess } = await openTestTools(open)
    const { approvals, kit, start } = await startProcess([echoTool({ name: 'write', sideEffect: true })])
    const toolkit = await kit()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const call = start(toolkit, 'write', { text: 'a' })
    const ended: string[] = []
    void call.result.then(({ kind }) => ended.push(kind))
    await expect.poll(() => call.statuses().at(-1)).toBe('awaiting_approval')
    // Its first look has an answer by then: the clock of the database's client is the one that is moved on.
    expect((await approvals()).pending).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(119_900)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    await expect.poll(() => ended).toEqual(['waiting'])
  })

  test('a side effect waits for its person, and runs with the arguments that they left', async () => {
    const { tool, ran } = writes()
    const { approvals, decide, kit, start } = await (await openTestTools(open)).startProcess([tool])
    const call = start(await kit(), 'write', { text: 'draft' })
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    const [waits] = (await approvals()).pending
    expect(waits).toMatchObject({ toolName: 'write', arguments: '{"text":"draft"}', chatId: 'chat', callId: 'call_1' })
    expect(waits?.approval).toMatchObject({
      reasons: ['side_effect'],
      decisions: ['allow_once', 'allow_chat', 'always_allow_tool', 'deny'],
    })
    expect(call.shown()).toMatchObject({ status: 'awaiting_approval', approval: { id: waits?.id, decision: null } })
    expect(ran).toEqual([])
    await expect(decide(waits?.id ?? '', { decision: 'allow_once', arguments: '{"text":7}' })).rejects.toThrow('wrong')
    await decide(waits?.id ?? '', { decision: 'allow_once', arguments: '{"text":"better"}' })
    expect(await call.result).toMatchObject({ kind: 'result', text: 'wrote better', isError: false })
    expect(call.shown()).toMatchObject({
      status: 'succeeded',
      decidedBy: 'person',
      arguments: '{"text":"better"}',
      approval: { decision: 'allow_once' },
    })
    expect((await approvals()).pending).toEqual([])
  })

  test('of two decisions at once in two processes one counts, and the call runs once', async () => {
    const { tool, ran } = writes()
    const { startProcess } = await openTestTools(open)
    const [here, there] = [await startProcess([tool]), await startProcess([tool])]
    const call = here.start(await here.kit(), 'write', { text: 'a' })
    await expect.poll(async () => (await there.approvals()).pending).toHaveLength(1)
    const id = (await there.approvals()).pending[0]?.id ?? ''
    const outcomes = await Promise.allSettled([
      here.decide(id, { decision: 'allow_once' }),
      there.decide(id, { decision: 'allow_once' }),
      there.decide(id, { decision: 'allow_once' }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(refusals).toEqual(['approval_decided', 'approval_decided'])
    expect(await call.result).toMatchObject({ kind: 'result', isError: false })
    expect(ran).toEqual(['a'])
    await expect(there.decide(id, { decision: 'deny' }, 'ben')).rejects.toMatchObject({ code: 'approval_not_found' })
  })

  test('a decision in another process reaches the one that waits', async () => {
    const { tool } = writes()
    const { startProcess } = await openTestTools(open)
    const [here, there] = [await startProcess([tool]), await startProcess([tool])]
    const call = here.start(await here.kit(), 'write', { text: 'a' })
    await expect.poll(async () => (await there.approvals()).pending).toHaveLength(1)
    await there.decide((await there.approvals()).pending[0]?.id ?? '', { decision: 'deny' })
    expect(await call.result).toMatchObject({ kind: 'result', isError: true })
    expect(call.shown()).toMatchObject({ status: 'denied', approval: { decision: 'deny' } })
  })

  test('when the process ends, the question stays, and its answer goes on once it is decided, once', async () => {
    const { tool, ran } = writes()
    const { resumed, startProcess } = await openTestTools(open)
    const here = await startProcess([tool])
    const call = here.start(await here.kit(), 'write', { text: 'a' })
    await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
    here.leave()
    call.stop()
    await expect(call.result).rejects.toThrow('stopped')
    const there = await startProcess([tool])
    const id = (await there.approvals()).pending[0]?.id ?? ''
    await there.decide(id, { decision: 'allow_once' })
    await expect.poll(() => resumed).toEqual(['answer'])
    await there.jobs['tools.tidy']?.prepare({})?.({} as never)
    expect(await there.start(await there.kit(), 'write', { text: 'a' }).result).toMatchObject({ text: 'wrote a' })
    expect(await there.start(await there.kit(), 'write', { text: 'a' }).result).toMatchObject({ text: 'wrote a' })
    expect(ran, 'what ended is told again and not run again').toEqual(['a'])
    expect(resumed).toEqual(['answer'])
  })

  test('what was decided while nobody knew that its process had died lets the answer go on, each time it ends so', async () => {
    const { tool, ran } = writes()
    const { database, resumed, startProcess } = await openTestTools(open)
    const here = await startProcess([tool])
    here.start(await here.kit(), 'write', { text: 'a' })
    await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
    const there = await startProcess([tool])
    await there.decide((await there.approvals()).pending[0]?.id ?? '', { decision: 'deny' })
    const endAsWaiting = async () => {
      const wait = there.api.prepareWait('answer')
      await database.write(wait.write)
      await wait.tell()
    }
    expect(resumed, 'the process that asked may go on itself').toEqual([])
    await endAsWaiting()
    await expect.poll(() => resumed).toEqual(['answer'])
    // Who went on with it died as well, before it had told of anything.
    await expect.poll(async () => (await endAsWaiting(), resumed.length)).toBeGreaterThan(1)
    expect(ran).toEqual([])
  })

  test('after a day it counts as denied, and the answer goes on with that', async () => {
    const { tool, ran } = writes()
    const { resumed, startProcess, travel } = await openTestTools(open)
    const here = await startProcess([tool])
    const call = here.start(await here.kit(), 'write', { text: 'a' })
    await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
    const id = (await here.approvals()).pending[0]?.id ?? ''
    here.leave()
    call.stop()
    await expect(call.result).rejects.toThrow('stopped')
    travel(25 * 3600_000)
    const there = await startProcess([tool])
    await expect(there.decide(id, { decision: 'allow_once' })).rejects.toMatchObject({ code: 'approval_decided' })
    await there.jobs['tools.tidy']?.prepare({})?.({} as never)
    await expect.poll(() => resumed).toEqual(['answer'])
    const again = there.start(await there.kit(), 'write', { text: 'a' })
    expect(await again.result).toMatchObject({ isError: true })
    expect(again.shown().status).toBe('denied')
    expect(ran).toEqual([])
  })

  test('Stop and a new question take what waits back, and nothing goes on', async () => {
    const { tool } = writes()
    const { resumed, startProcess } = await openTestTools(open)
    const { api, approvals, jobs, kit, start } = await startProcess([tool])
    const stopped = start(await kit(), 'write', { text: 'a' })
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    stopped.stop()
    await expect(stopped.result).rejects.toThrow('stopped')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(0)
    const denied = start(await kit({ subjectId: 'other' }), 'write', { text: 'b' })
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    await api.denyWaiting('ann', 'other')
    expect(await denied.result).toMatchObject({ isError: true })
    await jobs['tools.tidy']?.prepare({})?.({} as never)
    expect(resumed).toEqual([])
  })

  test('what is allowed for good holds for its reach, is listed, and ends when it is revoked or the tool changes', async () => {
    const { tool, ran } = writes()
    const { startProcess } = await openTestTools(open)
    const { approvals, decide, kit, revoke, run, start } = await startProcess([tool])
    const allow = async (decision: 'allow_chat' | 'always_allow_tool', chatId: string, subjectId: string) => {
      const call = start(await kit({ chatId, subjectId }), 'write', { text: subjectId })
      await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
      await decide((await approvals()).pending[0]?.id ?? '', { decision })
      await call.result
    }
    await allow('allow_chat', 'one', 'a')
    const { call } = await run(await kit({ chatId: 'one', subjectId: 'b' }), 'write', { text: 'b' })
    expect(call.shown().decidedBy).toBe('standing')
    await allow('always_allow_tool', 'two', 'c')
    await run(await kit({ chatId: 'three', subjectId: 'd' }), 'write', { text: 'd' })
    expect(ran).toEqual(['a', 'b', 'c', 'd'])
    const { standing } = await approvals()
    expect(standing.map(({ reach, toolName }) => `${reach} ${toolName}`).toSorted()).toEqual([
      'always write',
      'chat write',
    ])
    expect((await approvals('ben')).standing).toEqual([])
    const always = standing.find(({ reach }) => reach === 'always')?.id ?? ''
    await expect(revoke(always, 'ben')).rejects.toMatchObject({ code: 'approval_not_found' })
    await revoke(always)
    expect((await approvals()).standing.map(({ reach }) => reach)).toEqual(['chat'])
    const changed = await startProcess([writes({ description: 'Something else.' }).tool])
    expect((await changed.approvals()).standing).toEqual([])
  })

  test('what is allowed for good ends where the tool is ruled out, and does not come back with it', async () => {
    const { database, settings, startProcess } = await openTestTools(open)
    const { approvals, decide, kit, on, start } = await startProcess([writes().tool])
    const count = async () =>
      (await database.tables<ToolsTables>().selectFrom('tool_standing').select('id').execute()).length
    const losses = [{ builtin: { write: 'never' } }, { mode: 'off' }] as const
    for (const [index, loss] of losses.entries()) {
      const call = start(await kit({ subjectId: `answer-${index}` }), 'write', { text: 'a' })
      await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
      await decide((await approvals()).pending[0]?.id ?? '', { decision: 'always_allow_tool' })
      await call.result
      on['tools-changed']('ben')
      on['tools-changed']('ann')
      expect((await approvals()).standing).toHaveLength(1)
      await settings.change(loss)
      on['tools-changed']('ann')
      await expect.poll(count).toBe(0)
      await settings.change({ builtin: {}, mode: 'all-users' })
    }
  })
})

withDatabase('what is asked about, beside', (open) => {
  test('in a chat that is not kept, nothing is allowed for the chat', async () => {
    const { tool } = writes()
    const { approvals, decide, kit, start } = await (await openTestTools(open)).startProcess([tool])
    const call = start(await kit({ temporary: true }), 'write', { text: 'a' })
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    const [waits] = (await approvals()).pending
    expect(waits?.approval.decisions).toEqual(['allow_once', 'always_allow_tool', 'deny'])
    expect(await decide(waits?.id ?? '', { decision: 'allow_chat' })).toMatchObject({ decision: 'allow_once' })
    expect(await call.result).toMatchObject({ text: 'wrote a' })
    expect((await approvals()).standing).toEqual([])
  })

  test('where nobody can be asked it is denied, and what administrators rule out is not offered', async () => {
    const { tool, ran } = writes()
    const { settings, startProcess } = await openTestTools(open)
    const { kit, run } = await startProcess([tool])
    expect(await run(await kit({ unattended: true }), 'write', { text: 'a' })).toMatchObject({ isError: true })
    await settings.change({ builtin: { write: 'never' } })
    expect((await kit()).specs().map(({ name }) => name)).not.toContain('write')
    await settings.change({ builtin: { write: 'allow' } })
    await run(await kit({ subjectId: 'other' }), 'write', { text: 'b' })
    expect(ran).toEqual(['b'])
  })

  test('a call with side effects whose process died is not made again, and one without is', async () => {
    const { database, startProcess } = await openTestTools(open)
    const ran: string[] = []
    const stalls = (name: string, sideEffect: boolean) =>
      echoTool({ name, sideEffect, run: () => (ran.push(name), new Promise(() => undefined)) })
    const tools = [stalls('reads', false), stalls('writes', true)]
    const here = await startProcess(tools)
    const kit = await here.kit()
    here.start(kit, 'reads', { text: '' }, 'read')
    here.start(kit, 'writes', { text: '' }, 'write')
    await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
    await here.decide((await here.approvals()).pending[0]?.id ?? '', { decision: 'allow_once' })
    await expect.poll(() => ran.toSorted()).toEqual(['reads', 'writes'])
    const there = await startProcess([echoTool({ name: 'reads' }), writes({ name: 'writes' }).tool])
    expect(await there.run(await there.kit(), 'reads', { text: '' }, 'read')).toMatchObject({ isError: false })
    const unknown = await there.run(await there.kit(), 'writes', { text: '' }, 'write')
    expect(unknown.text).toMatch(/Nobody knows whether/)
    expect(unknown.call.shown().status).toBe('unknown')
    expect(database.dialect).toBe('sqlite')
  })

  test('what a call gave is told again when its tool is gone, and what it asked is taken back', async () => {
    const { settings, startProcess } = await openTestTools(open)
    const { approvals, kit, leave, run, start } = await startProcess([echoTool(), writes().tool])
    await run(await kit(), 'echo', { text: 'kept' }, 'done')
    const asking = start(await kit(), 'write', { text: 'a' }, 'asks')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    leave()
    asking.stop()
    await expect(asking.result).rejects.toThrow('stopped')
    await settings.change({ builtin: { echo: 'never', write: 'never' } })
    expect(await run(await kit(), 'echo', { text: 'kept' }, 'done')).toMatchObject({
      isError: false,
      text: expect.stringContaining('kept'),
    })
    expect(await run(await kit(), 'write', { text: 'a' }, 'asks')).toMatchObject({ isError: true })
    expect((await approvals()).pending).toEqual([])
  })

  test('what stands for a tool of a server waits while that is away, and ends when it is gone', async () => {
    const { startProcess } = await openTestTools(open)
    const { api, approvals, decide, kit, start } = await startProcess([])
    let state: 'here' | 'away' | 'gone' = 'here'
    const id = 'server:a/send'
    const hidden = '\u202eread\u200b only'
    api.addSource({
      list: async () => ({
        tools: state === 'here' ? [foreignTool(id, hidden)] : [],
        notes: [],
        away: state === 'away' ? [id] : [],
      }),
    })
    const opened = await kit()
    const spec = opened.specs().find(({ name }) => name === 'a__send')
    expect([spec?.description, spec?.parameters]).toEqual(['read only', { type: 'object', description: 'read only' }])
    const call = start(opened, 'a__send', {})
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    const [waits] = (await approvals()).pending
    expect(waits).toMatchObject({ serverName: 'A', approval: { reaches: 'a.example:443' } })
    await decide(waits?.id ?? '', { decision: 'always_allow_tool' })
    await call.result
    const count = async (now: typeof state) => {
      state = now
      return (await approvals()).standing.length
    }
    expect([await count('here'), await count('away'), await count('gone'), await count('here')]).toEqual([1, 1, 0, 0])
  })
})

const foreignTool = (id: string, words: string): CatalogTool => ({
  id,
  name: 'a__send',
  description: words,
  parameters: { type: 'object', description: words },
  source: 'mcp',
  server: { id: 'a', name: 'A', reaches: 'a.example:443' },
  digest: 'one',
  timeoutMs: 1000,
  sideEffect: true,
  readsPrivateData: false,
  readsForeignText: true,
  sendsData: true,
  run: async () => ({ text: 'sent' }),
})
