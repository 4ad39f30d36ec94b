import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onBothDatabases, withDatabase } from '../../testing/databases.ts'
import { namesByServer } from './offered-tools.ts'
import type { ToolsTables } from './tables.ts'
import { echoTool, openTestTools } from '../../testing/tools.ts'

const names = (specs: readonly { readonly name: string }[]) => specs.map(({ name }) => name)

onBothDatabases('results of calls', (open) => {
  test('what was cut can be read on in its chat, by a place or by words, and by nobody else', async () => {
    const text = `${'a'.repeat(30_000)} needle ${'z'.repeat(30_000)}`
    const long = echoTool({ readsForeignText: true, run: async () => ({ text }) })
    const { kit, run, handlers, contextOf, api } = await (await openTestTools(open)).startProcess([long])
    const opened = await kit()
    expect(names(opened.specs())).not.toContain('read_result')
    const first = await run(opened, 'echo', { text: '' })
    expect(names(opened.specs()).at(-1)).toBe('read_result')
    const id = /read_result with id (\S+)/.exec(first.text)?.[1] ?? ''
    expect(first.call.shown().recordId).toBe(id)
    const found = await run(opened, 'read_result', { id, find: 'NEEDLE' }, 'call_2')
    expect(found.text).toMatch(/Found 1 times[^]*quoted between two marks[^]*At character 30001: a+ needle z+/)
    const on = await run(opened, 'read_result', { id, offset: 50_000 }, 'call_3')
    expect(on.text).toMatch(/Characters 50000 to 60008 of 60008\.\n/)
    const elsewhere = await run(await kit({ chatId: 'another', subjectId: 'b' }), 'read_result', { id })
    expect(elsewhere).toMatchObject({ isError: true })
    const read = (accountId: string) =>
      handlers.callResult({ params: { recordId: id }, query: undefined, body: undefined }, contextOf(accountId))
    expect(Buffer.from((await read('ann')).body as Uint8Array).toString()).toBe(text)
    await expect(read('ben')).rejects.toMatchObject({ code: 'tool_call_not_found' })
    // Somebody to whom the chat was handed over removes it.
    await api.removeChat('ben', 'chat')
    expect(Buffer.from((await read('ann')).body as Uint8Array).toString()).toBe(text)
    await api.removeChat('ann', 'chat')
    await expect(read('ann')).rejects.toMatchObject({ code: 'tool_call_not_found' })
  })

  test('pictures of a result are kept for people and told to models that look at them', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
    const media = [
      { mediaType: 'image/png', bytes, name: 'chart.png' },
      { mediaType: 'text/html', bytes: Buffer.from('<script>'), name: '../a.html' },
    ]
    const draws = echoTool({ run: async () => ({ text: 'Drawn', media }) })
    const { api, kit, run, handlers, contextOf } = await (await openTestTools(open)).startProcess([draws])
    const { images, call } = await run(await kit({ vision: true }), 'echo', { text: '' })
    expect(images).toEqual([{ mediaType: 'image/png', data: bytes.toString('base64') }])
    const { recordId = '', result } = call.shown()
    expect(result?.media?.map(({ name }) => name)).toEqual(['chart.png', '../a.html'])
    const read = (index: number, accountId = 'ann') =>
      handlers.callMedia({ params: { recordId, index }, query: undefined, body: undefined }, contextOf(accountId))
    expect(await read(0)).toMatchObject({ mediaType: 'image/png', disposition: 'inline' })
    expect(await read(1)).toMatchObject({
      mediaType: 'application/octet-stream',
      disposition: 'attachment',
      fileName: '.._a.html',
    })
    await expect(read(2)).rejects.toMatchObject({ code: 'tool_call_not_found' })
    await expect(read(0, 'ben')).rejects.toMatchObject({ code: 'tool_call_not_found' })
    expect((await run(await kit({ vision: false, subjectId: 'b' }), 'echo', { text: '' })).images).toEqual([])
    await api.removeChat('ann', 'chat')
    await expect(read(0)).rejects.toMatchObject({ code: 'tool_call_not_found' })
  })

  test('values and resources of a result are shown as what they are, and told to the model in words', async () => {
    const resources = [
      { uri: 'notes://1', name: 'Plan', description: 'For May', mediaType: 'text/plain', text: null },
      { uri: 'notes://2', name: 'Old', description: '', mediaType: null, text: 'x'.repeat(3000) },
    ]
    const structured = { degrees: 21 }
    const tells = echoTool({ readsForeignText: true, run: async () => ({ text: 'Mild', resources, structured }) })
    const { kit, run, handlers, contextOf } = await (await openTestTools(open)).startProcess([tells])
    const { call, text } = await run(await kit(), 'echo', { text: '' })
    const { recordId = '', result } = call.shown()
    expect(result).toMatchObject({ text: 'Mild', resources: [resources[0], { uri: 'notes://2' }] })
    expect(JSON.parse(result?.structured ?? '')).toEqual(structured)
    expect(result?.resources?.[1]?.text).toHaveLength(2000)
    expect(text).toMatch(
      /quoted between two marks[^]*Mild[^]*"degrees": 21[^]*notes:\/\/1 \(Plan; text\/plain; For May\)[^]*x{3000}/,
    )
    const input = { params: { recordId }, query: undefined, body: undefined }
    const whole = await handlers.callResult(input, contextOf('ann'))
    expect(Buffer.from(whole.body as Uint8Array).toString()).toContain('x'.repeat(3000))
    // A value that no page can draw is text.
    const large = echoTool({ run: async () => ({ text: '', structured: { words: 'y'.repeat(30_000) } }) })
    const other = await (await openTestTools(open)).startProcess([large])
    const { call: long } = await other.run(await other.kit(), 'echo', { text: '' })
    expect(long.shown().result).toMatchObject({ characters: expect.any(Number), text: expect.stringContaining('yyy') })
    expect(long.shown().result?.structured).toBeUndefined()
  })

  test('files of a call that ended meanwhile are not kept', async () => {
    const media = [{ mediaType: 'image/png', bytes: Buffer.from('png'), name: 'chart.png' }]
    const gate = Promise.withResolvers<void>()
    let began = false
    const draws = echoTool({
      sideEffect: true,
      async run() {
        began = true
        await gate.promise
        return { text: 'Drawn', media }
      },
    })
    const { database, settings, startProcess } = await openTestTools(open)
    await settings.change({ builtin: { echo: 'allow' } })
    const [here, there] = [await startProcess([draws]), await startProcess([draws])]
    const call = here.start(await here.kit(), 'echo', { text: '' })
    await expect.poll(() => began).toBe(true)
    // It takes the first process for dead.
    await there.run(await there.kit(), 'echo', { text: '' })
    gate.resolve()
    expect(await call.result).toMatchObject({ text: 'Drawn' })
    expect(call.shown()).toMatchObject({ status: 'unknown' })
    expect(call.shown().result).not.toHaveProperty('media')
    const { rows } = await sql`select id from files`.execute(database.tables())
    expect(rows).toEqual([])
  })

  test('the own history lists calls newest first, in pages, and by what they were', async () => {
    const { database, startProcess } = await openTestTools(open)
    const { api, kit, run, handlers, contextOf } = await startProcess([echoTool()])
    const opened = await kit()
    for (const id of ['1', '2', '3']) await run(opened, 'echo', { text: id }, id)
    await run(opened, 'echo', '{}', '4')
    const page = async (query: object, accountId = 'ann') => {
      const given = { params: undefined, query: { limit: 2, ...query }, body: undefined }
      return (await handlers.calls(given as never, contextOf(accountId))) as Awaited<
        ReturnType<typeof handlers.calls>
      > & { items: { callId: string; decidedBy: string | null }[]; nextCursor: string | null }
    }
    const first = await page({})
    expect(first.items.map(({ callId }) => callId)).toEqual(['4', '3'])
    const second = await page({ cursor: first.nextCursor })
    expect(second.items.map(({ callId }) => callId)).toEqual(['2', '1'])
    expect(second.nextCursor).toBeNull()
    expect((await page({ status: 'failed' })).items.map(({ callId }) => callId)).toEqual(['4'])
    expect((await page({ toolId: 'builtin:other' })).items).toEqual([])
    expect((await page({}, 'ben')).items).toEqual([])
    const one = api.history('ann')[Symbol.asyncIterator]()
    expect((await one.next()).value).toMatchObject({ callId: '4' })
    // Of all others nothing was opened yet: each may be megabytes.
    await database
      .tables<ToolsTables>()
      .updateTable('tool_calls')
      .set({ outcome: null })
      .where('call_id', '=', '2')
      .execute()
    expect((await one.next()).value).toMatchObject({ callId: '3', result: '3' })
    expect((await one.next()).value).toMatchObject({ callId: '2', result: null })
    const taken = await Array.fromAsync(api.history('ann'))
    expect(taken[1]).toMatchObject({ callId: '3', arguments: '{"text":"3"}', result: '3', decidedBy: 'rules' })
  })
})

withDatabase('what is told of tools', (open) => {
  test('many tools are looked for, and what was found stays for the chat behind the others', async () => {
    const many = Array.from({ length: 60 }, (_, index) => {
      const letters = String.fromCodePoint(97 + Math.floor(index / 26), 97 + (index % 26))
      return echoTool({
        name: `tool_${letters}`,
        description: index === 33 ? 'Sends a parcel by post.' : 'Does something.',
      })
    })
    const { kit, run } = await (await openTestTools(open)).startProcess(many)
    const opened = await kit()
    const before = names(opened.specs())
    expect(before).toEqual(['ask_user', 'calculate', 'current_time', 'find_tools'])
    expect(opened.specs().at(-1)?.description).toContain('tool_bh')
    const { text } = await run(opened, 'find_tools', { query: 'post a parcel' })
    expect(text).toContain('tool_bh: Sends a parcel by post.')
    const after = names(opened.specs())
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toContain('tool_bh')
    expect((await run(opened, 'tool_bh', { text: 'hello' }, 'call_2')).text).toBe('hello')
    expect(names((await kit({ subjectId: 'b' })).specs())).toContain('tool_bh')
    expect(names((await kit({ chatId: 'another' })).specs())).toEqual(before)
    expect(names((await kit({ ids: ['builtin:tool_aa'] })).specs())).toEqual(['tool_aa'])
    expect(names((await kit({ ids: ['builtin:tool_aa'], contextWindow: 100 })).specs())).toEqual(['find_tools'])
  })

  test('of the tools of many servers, each server is named with how many it has, and as many names as fit', () => {
    const server = (at: number) => ({ id: `${at}`, name: `Server ${at}`, reaches: 'a.example:443' })
    const tools = Array.from({ length: 50 }, (_, at) =>
      Array.from({ length: at === 49 ? 2 : 128 }, (_tool, tool) => ({
        name: `server_${at}__tool_${tool}`,
        server: server(at),
      })),
    ).flat()
    const told = namesByServer([{ name: 'one_more', server: null }, ...tools])
    expect(told.length).toBeLessThanOrEqual(6000)
    expect(told).toMatch(/^built in \(1\): one_more; Server 0 \(128\): server_0__tool_0, .*, …; Server 1 \(128\): /)
    expect(told.endsWith('; Server 49 (2): server_49__tool_0, server_49__tool_1')).toBe(true)
    expect(told.split('; ')).toHaveLength(51)
    expect(namesByServer(tools.slice(0, 128))).toMatch(/^Server 0 \(128\): .*tool_127$/)
  })

  test('what was found last stays told where the window has no room for all that was found', async () => {
    const many = ['apple', 'berry'].map((name) => echoTool({ name, description: `${name} `.repeat(500) }))
    const { kit, run } = await (await openTestTools(open)).startProcess(many)
    const opened = await kit({ contextWindow: 8192 })
    for (const query of ['apple', 'berry']) await run(opened, 'find_tools', { query }, query)
    const told = opened.specs().map(({ name }) => name)
    expect(told).toContain('berry')
    expect(told).not.toContain('apple')
    expect((await run(opened, 'apple', { text: 'still there' }, 'last')).text).toBe('still there')
  })

  test('a model asks its person, and is told what they answered', async () => {
    const { approvals, decide, kit, start } = await (await openTestTools(open)).startProcess([])
    const questions = [
      { text: 'Which?', kind: 'choice', options: ['red', 'blue'] },
      { text: 'How many?', kind: 'number' },
    ]
    const call = start(await kit(), 'ask_user', { questions })
    await expect.poll(async () => (await approvals()).pending).toHaveLength(1)
    const [asked] = (await approvals()).pending
    const id = asked?.id ?? ''
    expect(asked?.approval).toMatchObject({ kind: 'question', questions: [{ id: 'q1', text: 'Which?' }, { id: 'q2' }] })
    const allow = (answers: Record<string, unknown>) => decide(id, { decision: 'allow_once', answers })
    await expect(allow({ q1: 'green', q2: 3 })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(allow({ q1: 'red' })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(decide(id, { decision: 'always_allow_tool' })).rejects.toMatchObject({ code: 'validation_failed' })
    await allow({ q1: 'red', q2: 3 })
    expect(await call.result).toMatchObject({ text: 'Which?\nred\n\nHow many?\n3', isError: false })
    expect(call.statuses().slice(-2)).toEqual(['running', 'succeeded'])
  })

  test('an answer to a question counts in another process too, after the one that asked has ended', async () => {
    const { resumed, startProcess } = await openTestTools(open)
    const here = await startProcess([])
    const questions = { questions: [{ text: 'Why?', kind: 'text' }] }
    const call = here.start(await here.kit(), 'ask_user', questions)
    await expect.poll(async () => (await here.approvals()).pending).toHaveLength(1)
    const id = (await here.approvals()).pending[0]?.id ?? ''
    here.leave()
    call.stop()
    await expect(call.result).rejects.toThrow('stopped')
    const there = await startProcess([])
    await there.decide(id, { decision: 'allow_once', answers: { q1: 'Because' } })
    await expect.poll(() => resumed).toEqual(['answer'])
    expect((await there.run(await there.kit(), 'ask_user', questions)).text).toBe('Why?\nBecause')
  })

  test('a call ends when the right to its tool does', async () => {
    const { settings, startProcess } = await openTestTools(open)
    let began = 0
    const stalls = echoTool({ run: () => ((began += 1), new Promise(() => undefined)) })
    const { kit, on, start } = await startProcess([stalls])
    const call = start(await kit(), 'echo', { text: '' })
    await expect.poll(() => began).toBe(1)
    await settings.change({ builtin: { echo: 'never' } })
    on['tools-changed']('ann')
    expect(await call.result).toMatchObject({ isError: true, text: expect.stringMatching(/right to use this tool/) })
    expect(call.shown().status).toBe('cancelled')
  })

  test('more calls than a minute has room for are refused in words, and that is in the audit', async () => {
    const { audit, kit, run } = await (await openTestTools(open)).startProcess([echoTool()])
    const opened = await kit()
    for (let made = 0; made < 120; made += 1) await run(opened, 'echo', { text: '' }, `call_${made}`)
    expect(await run(opened, 'echo', { text: '' }, 'last')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/Too many tools/),
    })
    const { items } = await audit.page({ action: ['tool.refuse'] }, 10, undefined)
    expect(items).toMatchObject([{ result: 'denied', details: { reason: 'rate' } }])
  })
})
