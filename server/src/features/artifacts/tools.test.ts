import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EarlierCall } from '../../platform/areas/tool.ts'
import { type ArtifactsHarness, openArtifacts } from '../../testing/artifacts.ts'
import { callTool } from '../../testing/call-tool.ts'
import type { Client } from '../../testing/client.ts'
import { realClock as clock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import type { Served } from '../../testing/serve.ts'

onBothDatabases('artifacts as tools of models', (open) => {
  let served: Served
  let ann: Client
  let storage: ArtifactsHarness['resources']['artifact']['storage']
  let describeChanges: (
    calls: readonly EarlierCall[],
    accountId?: string,
    chatId?: string | null,
  ) => Promise<string | null>
  let call: (
    name: string,
    args: Record<string, unknown>,
    callId?: string,
    accountId?: string,
  ) => ReturnType<typeof callTool>
  beforeEach(async () => {
    const { resources, tools, ...artifacts } = await openArtifacts(open, { clock })
    storage = resources.artifact.storage
    call = (name, args, callId = 'call-1', accountId = 'ann') =>
      callTool(tools, name, accountId, args, { callId, chatId: 'chat-1' })
    describeChanges = async (calls, accountId = 'ann', chatId = null) => {
      const reading = tools.find(({ name }) => name === 'read_artifact')
      return (await reading?.describeChanges?.(calls, { accountId, chatId })) ?? null
    }
    served = artifacts.served
    ann = served.guest.as('ann')
  })
  afterEach(() => served?.stop())

  const page = { kind: 'html', title: 'Shop', content: '<h1>Shop</h1>\n<p>Open</p>' }
  const make = async () => {
    const { links, isError } = await call('create_artifact', page)
    expect(isError).toBeUndefined()
    const id = links?.[0]?.id ?? ''
    return { id, input: { params: { artifactId: id } } }
  }

  test('make one that the person sees, once however often the call is run', async () => {
    const { id, input } = await make()
    expect((await make()).id).toBe(id)
    expect((await ann.call(routes.list, {})).items).toHaveLength(1)
    expect(await ann.call(routes.read, input)).toMatchObject({
      ...page,
      chatId: 'chat-1',
      version: 1,
      author: { kind: 'model', name: 'ann' },
    })
  })

  test('change exact passages, once however often the call is run, and what a person wrote since stays', async () => {
    const { id, input } = await make()
    await ann.call(routes.update, { ...input, body: { content: '<h1>My shop</h1>\n<p>Open</p>' } })
    const edits = [{ old_text: '<p>Open</p>', new_text: '<p>Closed</p>' }]
    for (const callId of ['call-2', 'call-2'])
      expect((await call('update_artifact', { id, edits }, callId)).isError).toBeUndefined()
    expect(await ann.call(routes.read, input)).toMatchObject({
      version: 3,
      content: '<h1>My shop</h1>\n<p>Closed</p>',
    })
    expect((await call('read_artifact', { id })).text).toContain('<h1>My shop</h1>')
  })

  test('make what takes room, with all its versions', async () => {
    const { id, input } = await make()
    await call('update_artifact', { id, content: 'New' }, 'call-2')
    expect(await storage.sum('ann')).toEqual({ count: 1, bytes: 28, trashedBytes: 0 })
    await ann.call(routes.remove, input)
    expect(await storage.sum('ann')).toEqual({ count: 1, bytes: 28, trashedBytes: 28 })
    expect(await storage.largest('ann', 1)).toEqual([{ id, name: 'Shop', bytes: 28, chatId: 'chat-1', trashed: true }])
    expect(await storage.sum('ben')).toEqual({ count: 0, bytes: 0, trashedBytes: 0 })
  })

  test('change nothing where one passage of several does not match, and say what comes nearest', async () => {
    const { id, input } = await make()
    const edits = [
      { old_text: 'Open', new_text: 'Closed' },
      { old_text: '<h1>Shopp</h1>', new_text: '' },
    ]
    const { text, isError } = await call('update_artifact', { id, edits }, 'call-2')
    expect(isError).toBe(true)
    expect(text).toContain('1: <h1>Shop</h1>')
    expect(await ann.call(routes.read, input)).toMatchObject({ version: 1, content: page.content })
  })

  test('reach nothing of another account, and nothing in the trash', async () => {
    const { id, input } = await make()
    const refused = { code: 'artifact_not_found' }
    await expect(call('read_artifact', { id }, 'call-2', 'ben')).rejects.toMatchObject(refused)
    await expect(call('update_artifact', { id, content: 'x' }, 'call-2', 'ben')).rejects.toMatchObject(refused)
    await ann.call(routes.remove, input)
    await expect(call('update_artifact', { id, content: 'x' }, 'call-3')).rejects.toMatchObject(refused)
  })

  test('tell with the next question what a person changed, until the model has seen it', async () => {
    const earlier = async (name: string, args: Record<string, unknown>, callId: string): Promise<EarlierCall> => {
      const { text } = await call(name, args, callId)
      return { name, arguments: JSON.stringify(args), text: `Quoted\n<<<mark>>>\n${text}\n<<<mark>>>` }
    }
    const made = await earlier('create_artifact', page, 'call-1')
    const [artifact] = (await ann.call(routes.list, {})).items
    const id = artifact?.id ?? ''
    const edit = (content: string) => ann.call(routes.update, { params: { artifactId: id }, body: { content } })
    expect(await describeChanges([made])).toBe(null)
    await edit('By hand')
    const foreign = { ...made, name: 'fetch_page' }
    expect(await describeChanges([foreign])).toBe(null)
    expect(await describeChanges([made], 'ben')).toBe(null)
    const line = await describeChanges([made, { name: 'read_artifact', arguments: '{', text: made.text }])
    expect(line).toContain(`“Shop” (id ${id}, now version 2)`)
    const read = await earlier('read_artifact', { id }, 'call-2')
    expect(await describeChanges([made, read])).toBe(null)
    const changed = await earlier('update_artifact', { id, content: 'By the model' }, 'call-3')
    expect(await describeChanges([made, changed])).toBe(null)
    await edit('By hand once more')
    expect(await describeChanges([made, read, changed])).toContain('now version 4')
    await ann.call(routes.remove, { params: { artifactId: id } })
    expect(await describeChanges([made, read, changed])).toBe(null)
  })

  test('tell with each question what a person edited of those that came of the chat without a call', async () => {
    const { id } = await make()
    expect(await describeChanges([], 'ann', 'chat-1')).toBe(null)
    await ann.call(routes.update, { params: { artifactId: id }, body: { content: 'By hand' } })
    expect(await describeChanges([], 'ann', 'chat-1')).toContain(
      `edited by the user since: “Shop” (id ${id}, now version 2)`,
    )
    for (const [accountId, chatId] of [
      ['ann', 'chat-2'],
      ['ben', 'chat-1'],
      ['ann', null],
    ] as const)
      expect(await describeChanges([], accountId, chatId)).toBe(null)
    const { text } = await call('read_artifact', { id })
    const read = { name: 'read_artifact', arguments: JSON.stringify({ id }), text }
    expect(await describeChanges([read], 'ann', 'chat-1')).toBe(null)
    await call('update_artifact', { id, content: 'By the model' }, 'call-2')
    expect(await describeChanges([], 'ann', 'chat-1')).toBe(null)
  })

  test('refuse what grows too long, and arguments that say nothing or two things', async () => {
    const { id } = await make()
    const edits = [{ old_text: 'Open', new_text: 'x'.repeat(500_000) }]
    expect(await call('update_artifact', { id, edits }, 'call-2')).toMatchObject({ isError: true })
    for (const args of [{ id }, { id, content: 'x', edits }])
      await expect(call('update_artifact', args)).rejects.toThrow('give edits')
  })
})
