import { expect, onTestFinished, test, vi } from 'vitest'
import type { CatalogTool } from './index.ts'
import { onBothDatabases, withDatabase } from '../../testing/databases.ts'
import { echoTool, openTestTools } from '../../testing/tools.ts'

/** A tool of a server, whose definition and place may change. */
const openServer = async (open: Parameters<typeof openTestTools>[0], over: Partial<CatalogTool> = {}) => {
  const ran: string[] = []
  const now: { tool: CatalogTool } = {
    tool: {
      id: 'server:a/send',
      name: 'a__send',
      description: 'Sends it.',
      parameters: { type: 'object' },
      source: 'mcp',
      server: { id: 'a', name: 'A', reaches: 'a.example:443' },
      digest: 'one',
      timeoutMs: 1000,
      sideEffect: true,
      readsPrivateData: false,
      readsForeignText: true,
      sendsData: true,
      run: async () => ({ text: `sent ${ran.push(now.tool.id)}` }),
      ...over,
    },
  }
  const { startProcess, ...instance } = await openTestTools(open)
  const startServed = async () => {
    const served = await startProcess([])
    served.api.addSource({ list: async (accountId) => ({ tools: accountId === 'ann' ? [now.tool] : [], notes: [] }) })
    return served
  }
  return { ...instance, startServed, now, ran }
}

withDatabase('what was allowed', (open) => {
  test('is the definition that the card showed: another one is not allowed by it', async () => {
    const { startServed, now, ran } = await openServer(open)
    const { approvals, decide, kit, start } = await startServed()
    const call = start(await kit(), 'a__send', {})
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    const id = (await approvals()).pending[0]?.id ?? ''
    now.tool = { ...now.tool, digest: 'two' }
    await expect(decide(id, { decision: 'always_allow_tool' })).rejects.toMatchObject({ code: 'tool_unavailable' })
    await decide(id, { decision: 'deny' })
    expect(await call.result).toMatchObject({ isError: true })
    expect({ ran, standing: (await approvals()).standing }).toEqual({ ran: [], standing: [] })
  })

  test.each([
    ['changed meanwhile', { digest: 'two' }],
    ['is another one of the same name', { id: 'server:b/send' }],
  ])('runs nothing where the tool %s', async (_, change) => {
    const { startServed, now, ran } = await openServer(open)
    const here = await startServed()
    const call = here.start(await here.kit(), 'a__send', {})
    await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
    here.leave()
    call.stop()
    await expect(call.result).rejects.toThrow('stopped')
    const there = await startServed()
    await there.decide((await there.approvals()).pending[0]?.id ?? '', { decision: 'allow_once' })
    now.tool = { ...now.tool, ...change }
    const again = await there.run(await there.kit(), 'a__send', {})
    expect(again.text).toContain('has changed')
    expect(again.call.shown().status).toBe('denied')
    expect(ran).toEqual([])
  })

  test('is looked at before each call of an answer, not once for all of them', async () => {
    const ran: string[] = []
    const echo = echoTool({ run: async ({ text }) => ({ text: `${ran.push(String(text))}` }) })
    const { settings, startProcess } = await openTestTools(open)
    const { approvals, kit, run, start } = await startProcess([echo])
    const opened = await kit()
    await run(opened, 'echo', { text: 'a' }, '1')
    await settings.change({ builtin: { echo: 'ask' } })
    const asks = start(opened, 'echo', { text: 'b' }, '2')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    asks.stop()
    await expect(asks.result).rejects.toThrow('stopped')
    await settings.change({ builtin: { echo: 'never' } })
    const refused = await run(opened, 'echo', { text: 'c' }, '3')
    expect(refused.text).toContain('may not be used any more')
    await settings.change({ builtin: {}, mode: 'off' })
    expect((await run(opened, 'echo', { text: 'd' }, '4')).isError).toBe(true)
    expect(ran).toEqual(['a'])
  })

  test('asks once an administrator says that a tool of a server changes something', async () => {
    const { startServed, now, ran } = await openServer(open, { sideEffect: false })
    const { approvals, kit, run, start } = await startServed()
    const opened = await kit()
    await run(opened, 'a__send', {}, '1')
    now.tool = { ...now.tool, sideEffect: true }
    const call = start(opened, 'a__send', {}, '2')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    expect(ran).toHaveLength(1)
    call.stop()
    await expect(call.result).rejects.toThrow('stopped')
  })
})

onBothDatabases('a call', (open) => {
  test('that two processes take at once runs once', async () => {
    const { settings, startProcess } = await openTestTools(open)
    await settings.change({ builtin: { write: 'allow' } })
    const ran: string[] = []
    const gate = Promise.withResolvers<void>()
    const tool = (process: string) =>
      echoTool({
        name: 'write',
        sideEffect: true,
        async run() {
          ran.push(process)
          await gate.promise
          return { text: 'written' }
        },
      })
    const [here, there] = [await startProcess([tool('here')]), await startProcess([tool('there')])]
    const kits = [await here.kit(), await there.kit()] as const
    const calls = [here.start(kits[0], 'write', { text: 'a' }), there.start(kits[1], 'write', { text: 'a' })]
    const left: string[] = []
    for (const { result } of calls) void result.then(({ kind }) => left.push(kind))
    await expect.poll(() => ran.length + left.length).toBe(2)
    gate.resolve()
    await Promise.all(calls.map(({ result }) => result))
    expect(ran).toHaveLength(1)
  })

  test('asks its person a few questions, and none that is endless', async () => {
    let declined = 0
    const ask: CatalogTool['run'] = async (_, context) => {
      const form = (words: string) => context.ask({ kind: 'form', message: words, schema: {} })
      const first = await form('x'.repeat(40_000))
      const asked = Array.from({ length: 20 }, async () => (await form('Why?')) ?? (declined += 1))
      await Promise.all(asked)
      return { text: `first ${JSON.stringify(first)}` }
    }
    const { startServed } = await openServer(open, { sideEffect: false, run: ask })
    const { approvals, kit, start } = await startServed()
    const call = start(await kit(), 'a__send', {})
    await expect.poll(() => declined).toBe(13)
    await expect.poll(async () => (await approvals()).pending.length).toBe(7)
    call.stop()
    await expect(call.result).rejects.toThrow('stopped')
    await expect.poll(async () => (await approvals()).pending).toEqual([])
  })

  test('that waits for its person leaves its place to others of its account, and takes one again', async () => {
    const gate = Promise.withResolvers<void>()
    let working = 0
    const { startServed } = await openServer(open, {
      sideEffect: false,
      timeoutMs: 60_000,
      async run({ asks }, context) {
        if (asks) await context.ask({ kind: 'form', message: 'Which?', schema: {} })
        working += 1
        if (!asks) await gate.promise
        return { text: 'done' }
      },
    })
    const { approvals, decide, kit, start } = await startServed()
    const opened = await kit({ subjectId: 'places' })
    const begin = (asks: boolean) => (at: number) =>
      start(opened, 'a__send', { asks }, `${asks ? 'asks' : 'works'}_${at}`)
    const asking = [1, 2, 3, 4].map(begin(true))
    await expect.poll(async () => (await approvals()).pending).toHaveLength(4)
    const others = [1, 2, 3, 4].map(begin(false))
    await expect.poll(() => working).toBe(4)
    for (const { id } of (await approvals()).pending) await decide(id, { decision: 'allow_once', answers: {} })
    await expect.poll(() => asking.every((call) => call.statuses().at(-1) === 'running')).toBe(true)
    expect(working, 'four at a time, also after the answers').toBe(4)
    gate.resolve()
    await Promise.all([...asking, ...others].map(({ result }) => result))
    expect(working).toBe(8)
  })

  test('that asked on its way is made again with the answer only where nothing was done yet', async () => {
    const began: string[] = []
    const asksAs = (repeatable: boolean) =>
      openServer(open, {
        run: async (_, { ask }) => {
          began.push(String(repeatable))
          const answer = await ask({ kind: 'form', message: 'Which?', schema: {}, repeatable })
          return { text: `went on with ${JSON.stringify(answer)}` }
        },
      })
    const endAndDecide = async (repeatable: boolean) => {
      const { startServed } = await asksAs(repeatable)
      const here = await startServed()
      const call = here.start(await here.kit(), 'a__send', {})
      const decide = async () => {
        await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
        const [asked] = (await here.approvals()).pending
        const { approval, id = '' } = asked ?? {}
        await here.decide(id, { decision: 'allow_once', ...(approval?.kind === 'form' && { answers: {} }) })
      }
      await decide()
      await expect.poll(() => began.at(-1)).toBe(String(repeatable))
      await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
      here.leave()
      call.stop()
      await expect(call.result).rejects.toThrow('stopped')
      await decide()
      const there = await startServed()
      return await there.run(await there.kit(), 'a__send', {})
    }
    const again = await endAndDecide(true)
    expect(again.text).toContain('went on with {}')
    const unknown = await endAndDecide(false)
    expect(unknown.text).toContain('Nobody knows whether')
    expect(unknown.call.shown().status).toBe('unknown')
    expect(began).toEqual(['true', 'true', 'false'])
  })

  test('that was taken back while it asked has ended in the history', async () => {
    const { startProcess } = await openTestTools(open)
    const { api, approvals, contextOf, handlers, kit, leave, start } = await startProcess([
      echoTool({ name: 'write', sideEffect: true }),
    ])
    const stopped = start(await kit(), 'write', { text: 'a' }, '1')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    stopped.stop()
    await expect(stopped.result).rejects.toThrow('stopped')
    const waits = start(await kit({ subjectId: 'other' }), 'write', { text: 'b' }, '2')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    leave()
    waits.stop()
    await expect(waits.result).rejects.toThrow('stopped')
    await api.denyWaiting('ann', 'other')
    const given = { params: undefined, query: { limit: 10 }, body: undefined }
    const page = await handlers.calls(given as never, contextOf('ann'))
    expect(page).toMatchObject({ items: [{ status: 'denied' }, { status: 'denied' }] })
  })
})

withDatabase('refusals', (open) => {
  test('of what a call asks on its way are in time where it could not go on later', async () => {
    const { startServed, resumed } = await openServer(open, {
      run: async (_, { ask }) => ({ text: `told ${await ask({ kind: 'form', message: 'Which?', schema: {} })}` }),
    })
    const { approvals, decide, kit, start } = await startServed()
    const toolkit = await kit()
    const call = start(toolkit, 'a__send', {})
    const pending = async () => (await approvals()).pending
    await expect.poll(async () => (await pending()).map(({ approval }) => approval.kind)).toEqual(['call'])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await decide((await pending())[0]?.id ?? '', { decision: 'allow_once' })
    await expect.poll(async () => (await pending()).map(({ approval }) => approval.kind)).toEqual(['form'])
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await call.result).toMatchObject({ isError: false, text: expect.stringContaining('told null') })
    expect(call.shown().status).toBe('succeeded')
    expect([await pending(), resumed]).toEqual([[], []])
  })

  test('leave an entry in the audit each, without what was called with', async () => {
    const { audit, kit, run } = await (await openTestTools(open)).startProcess([echoTool()])
    const opened = await kit()
    await run(opened, 'echo', '{"secret":1}', 'bad')
    await run(opened, 'secret', {}, 'unknown')
    const { items } = await audit.page({ action: ['tool.refuse'], result: 'denied' }, 10, undefined)
    expect(items.map(({ details }) => (details as { reason: string }).reason)).toEqual(['unknown', 'arguments'])
    expect(JSON.stringify(items)).not.toContain('secret')
  })

  test('of calls beyond the limits, of tools that may not be chosen and of questions taken back are in the audit', async () => {
    const { api, approvals, audit, kit, jobs, start, travel } = await (async () => {
      const instance = await openTestTools(open)
      return {
        ...instance,
        ...(await instance.startProcess([echoTool(), echoTool({ name: 'write', sideEffect: true })])),
      }
    })()
    const reasons = async () => {
      const { items } = await audit.page({ action: ['tool.refuse', 'tool.deny'] }, 20, undefined)
      return items.map(({ action, actorKind, details, targetId }) =>
        [action, actorKind, targetId, (details as { reason: string }).reason].join(' '),
      )
    }
    const opened = await kit()
    await opened.noteRefusal?.({ name: 'echo' }, 'calls')
    await opened.noteRefusal?.({ name: 'none' }, 'rounds')
    await expect(kit({ ids: ['builtin:none'] })).rejects.toMatchObject({ code: 'tool_unavailable' })
    const usable = await api.listUsable('ann')
    await expect(api.requireIds(usable, ['builtin:none'])).rejects.toMatchObject({ code: 'tool_unavailable' })
    const stopped = start(opened, 'write', { text: '' }, 'stopped')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    stopped.stop()
    await expect(stopped.result).rejects.toThrow('stopped')
    await expect.poll(async () => (await approvals()).pending).toEqual([])
    const late = start(opened, 'write', { text: '' }, 'late')
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    travel(25 * 3600_000)
    await jobs['tools.tidy']?.prepare({})?.({} as never)
    expect(await late.result).toMatchObject({ isError: true })
    expect(await reasons()).toEqual([
      'tool.refuse user builtin:write denied',
      'tool.deny system builtin:write late',
      'tool.deny user builtin:write withdrawn',
      'tool.refuse user  unavailable',
      'tool.refuse user  unavailable',
      'tool.refuse user  rounds',
      'tool.refuse user builtin:echo calls',
    ])
  })
})

withDatabase('how often tools were called', (open) => {
  test('names to administrators no server that is another account’s own', async () => {
    const { startServed } = await openServer(open, { id: 'server:own/look', name: 'Diary__look', sideEffect: false })
    const { contextOf, handlers, kit, run } = await startServed()
    await run(await kit(), 'Diary__look', {}, '1')
    const given = { params: undefined, query: { days: 1 }, body: undefined } as never
    expect(await handlers.usage(given, contextOf('ann'))).toMatchObject({ items: [{ toolName: 'Diary__look' }] })
    const all = await handlers.allUsage(given, contextOf('ben'))
    expect(all).toMatchObject({ items: [{ toolName: 'look', serverName: null, calls: 1 }] })
  })
})
