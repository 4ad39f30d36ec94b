/** Pages that came with a result of a server (MCP Apps), and what they may have called. */
import { appMediaType } from '@atrium/contract/generation'
import { expect, test } from 'vitest'
import { onBothDatabases } from '../../testing/databases.ts'
import { openTestTools } from '../../testing/tools.ts'
import type { CatalogTool } from './index.ts'

const page = { mediaType: appMediaType, bytes: Buffer.from('<p>Map</p>'), name: 'app.html' }
const toolOf = (server: string, name: string, over: Partial<CatalogTool> = {}): CatalogTool => ({
  id: `server:${server}/${name}`,
  name: `${server}__${name}`,
  description: name,
  parameters: { type: 'object' },
  source: 'mcp',
  server: { id: server, name: server, reaches: `${server}.example:443` },
  digest: 'one',
  timeoutMs: 1000,
  sideEffect: false,
  readsPrivateData: false,
  readsForeignText: true,
  sendsData: true,
  run: async (args) => ({ text: `${name} ${JSON.stringify(args)}`, structured: { ok: true } }),
  ...over,
})

onBothDatabases('a page of a result', (open) => {
  const setUp = async () => {
    const { api, approvals, contextOf, decide, handlers, kit, run } = await (await openTestTools(open)).startProcess([])
    const tools = [
      toolOf('a', 'show', { run: async () => ({ text: 'Shown', media: [page] }) }),
      toolOf('a', 'move', { isForAppAlone: true }),
      toolOf('a', 'plain'),
      toolOf('a', 'files_read-0a1b2c3d4e', { nameAtServer: 'files/read' }),
      toolOf('b', 'send'),
    ]
    api.addSource({ list: async () => ({ tools, notes: [] }) })
    const opened = await kit()
    const shown = (name: string, id: string) =>
      run(opened, `a__${name}`, {}, id).then(({ call }) => call.shown().recordId ?? '')
    const ask = (recordId: string, name: string, accountId = 'ann') => {
      const leave = new AbortController()
      const context = Object.assign({}, contextOf(accountId) as object, { signal: leave.signal }) as never
      const body = { name, arguments: { x: 1 } }
      const answer = handlers.callFromApp({ params: { recordId }, query: undefined, body }, context)
      answer.catch(() => undefined)
      return { answer, leave }
    }
    const waiting = async () => {
      await expect.poll(async () => (await approvals()).pending.length).toBe(1)
      return (await approvals()).pending[0]
    }
    return { opened, shown, ask, waiting, decide, approvals }
  }

  test('has tools of its server called, those that no model is told of too, each once its person allows it', async () => {
    const { opened, shown, ask, waiting, decide } = await setUp()
    expect(opened.specs().map(({ name }) => name)).toEqual(expect.arrayContaining(['a__show', 'a__plain']))
    expect(opened.specs().map(({ name }) => name)).not.toContain('a__move')
    const recordId = await shown('show', 'call_1')
    for (const turn of [1, 2]) {
      const { answer } = ask(recordId, 'move')
      const asked = await waiting()
      expect(asked).toMatchObject({ toolId: 'server:a/move', chatId: 'chat', arguments: '{"x":1}' })
      expect(asked?.approval).toMatchObject({ reasons: ['private_and_foreign'], decisions: ['allow_once', 'deny'] })
      await decide(asked?.id ?? '', { decision: turn === 1 ? 'allow_once' : 'deny' })
      if (turn === 1)
        expect(await answer).toMatchObject({
          isError: false,
          text: 'move {"x":1}',
          structured: expect.stringContaining('ok'),
        })
      else expect(await answer).toMatchObject({ isError: true })
    }
  })

  test('has a tool called by the name that its server knows it by', async () => {
    const { shown, ask, waiting, decide } = await setUp()
    const { answer } = ask(await shown('show', 'call_1'), 'files/read')
    const asked = await waiting()
    expect(asked?.toolId).toBe('server:a/files_read-0a1b2c3d4e')
    await decide(asked?.id ?? '', { decision: 'allow_once' })
    expect(await answer).toMatchObject({ isError: false, text: 'files_read-0a1b2c3d4e {"x":1}' })
  })

  test('reaches no other server, nothing of another account, and nothing from a result without a page', async () => {
    const { shown, ask } = await setUp()
    const recordId = await shown('show', 'call_1')
    await expect(ask(recordId, 'send').answer).rejects.toMatchObject({ code: 'tool_unavailable' })
    await expect(ask(recordId, '../b/send').answer).rejects.toMatchObject({ code: 'tool_unavailable' })
    await expect(ask(recordId, 'move', 'ben').answer).rejects.toMatchObject({ code: 'tool_call_not_found' })
    const bare = await shown('plain', 'call_2')
    await expect(ask(bare, 'move').answer).rejects.toMatchObject({ code: 'tool_call_not_found' })
  })

  test('has what it asked for taken back when nobody sees it any more', async () => {
    const { shown, ask, waiting, approvals } = await setUp()
    const { answer, leave } = ask(await shown('show', 'call_1'), 'move')
    await waiting()
    leave.abort(new Error('left'))
    await expect(answer).rejects.toThrow('left')
    expect((await approvals()).pending).toEqual([])
  })
})
