import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { auditRoutes } from '@atrium/contract/audit'
import { codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { chatRoutes } from '@atrium/contract/chat'
import { groupsRoutes } from '@atrium/contract/groups'
import { toolsRoutes } from '@atrium/contract/tools'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

describe('running code', () => {
  let app: TestApp
  let admin: Client
  let ann: Client
  let ben: Client
  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
  })
  afterAll(() => app?.close())

  const newChat = async (client: Client) => (await client.call(chatRoutes.create, { body: {} })).id
  const run = (client: Client, code: string, chatId: string | null = null) =>
    client.call(routes.run, { body: { language: 'javascript', code: `const fs = require('fs')\n${code}`, chatId } })
  const at = (fileId: string) => ({ params: { fileId } })

  test('a program reads the files of its chat and leaves some, for its owner alone', async () => {
    const chatId = await newChat(ann)
    const file = new Blob(['a,b\n1,2'], { type: 'text/csv' })
    const names = ['../../evil\u202e.csv', 'data.csv', 'data.csv']
    const attachmentIds: string[] = []
    for (const name of names) attachmentIds.push((await ann.call(chatRoutes.attach, { query: { name }, file })).id)
    const body = { role: 'user' as const, content: 'Look', attachmentIds }
    await ann.call(chatRoutes.addMessage, { params: { sessionId: chatId }, body })
    const ran = await run(
      ann,
      `console.log(fs.readdirSync('/files').join('|'), fs.readFileSync('/files/data.csv', 'utf8').length)
       fs.writeFileSync('/keep/notes.txt', 'kept')
       fs.writeFileSync('/out/chart.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
       fs.writeFileSync('/out/fake.png', '<svg onload="alert(1)">')`,
      chatId,
    )
    expect(ran).toMatchObject({ end: 'finished', stderr: '', notes: [] })
    expect(ran.stdout).toBe('.._.._evil_.csv|data (2).csv|data.csv 7\n')
    expect(ran.files.map(({ name, mediaType, sizeBytes }) => [name, mediaType, sizeBytes])).toEqual([
      ['chart.png', 'image/png', 4],
      ['fake.png', 'image/png', 23],
    ])
    expect((await run(ann, `console.log(fs.readFileSync('/keep/notes.txt', 'utf8'))`, chatId)).stdout).toBe('kept\n')
    await run(ann, `fs.writeFileSync('/keep/notes.txt', 'new'); fs.writeFileSync('/keep/more', '')`, chatId)
    await run(ann, `fs.rmSync('/keep/more')`, chatId)
    const { items } = await ann.call(routes.files, { query: { chatId } })
    expect(items.map(({ folder, name, sizeBytes }) => [folder, name, sizeBytes])).toEqual([
      ['keep', 'notes.txt', 3],
      ['out', 'chart.png', 4],
      ['out', 'fake.png', 23],
    ])
    const [chart, fake] = ran.files
    const shown = await ann.answer(routes.content, at(chart?.id ?? ''))
    expect(shown.headers.get('content-type')).toBe('image/png')
    await shown.body?.cancel()
    const saved = await ann.answer(routes.content, at(fake?.id ?? ''))
    expect(saved.headers.get('content-type')).toBe('application/octet-stream')
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment/)
    await saved.body?.cancel()
    for (const route of [routes.content, routes.removeFile] as const)
      expect((await ben.refusal(route, at(chart?.id ?? ''))).code).toBe('code_file_not_found')
    expect((await ben.refusal(routes.files, { query: { chatId } })).code).toBe('chat_not_found')
    const others = { language: 'python' as const, code: 'print(1)', chatId }
    expect((await ben.refusal(routes.run, { body: others })).code).toBe('chat_not_found')
  })

  test('what it keeps is listed over all chats with what it takes, and deleted one by one', async () => {
    const cyd = await app.signUpUser('cyd')
    const [first, second] = [await newChat(cyd), await newChat(cyd)]
    await run(cyd, `fs.writeFileSync('/keep/a', 'a'); fs.writeFileSync('/out/b', 'not kept')`, first)
    await run(cyd, `fs.mkdirSync('/keep/c'); fs.writeFileSync('/keep/c/d', 'ddd')`, second)
    const page = await cyd.call(routes.kept, { query: { limit: 1 } })
    const rest = await cyd.call(routes.kept, { query: { limit: 1, cursor: page.nextCursor ?? '' } })
    expect([...page.items, ...rest.items].map(({ name, chatId }) => [name, chatId])).toEqual([
      ['c/d', second],
      ['a', first],
    ])
    expect([page.totalBytes, rest.nextCursor]).toEqual([4, null])
    expect((await ben.call(routes.kept, {})).items).toEqual([])
    await cyd.call(routes.removeFile, at(page.items[0]?.id ?? ''))
    expect(await cyd.call(routes.kept, {})).toMatchObject({ items: [{ name: 'a' }], totalBytes: 1 })
    expect((await run(cyd, `console.log(fs.existsSync('/keep/c/d'))`, second)).stdout).toBe('false\n')
    expect((await cyd.refusal(routes.kept, { query: { cursor: 'x' } })).code).toBe('bad_cursor')
  })

  test('what it keeps goes with its chat', async () => {
    const chatId = await newChat(ann)
    const { files } = await run(ann, `fs.writeFileSync('/keep/a', 'a'); fs.writeFileSync('/out/b', 'b')`, chatId)
    const [made] = files
    await ann.call(chatRoutes.remove, { params: { sessionId: chatId } })
    await ann.call(chatRoutes.removeTrash, { params: { itemId: chatId } })
    expect((await ann.refusal(routes.content, at(made?.id ?? ''))).code).toBe('code_file_not_found')
    expect((await ann.refusal(routes.files, { query: { chatId } })).code).toBe('chat_not_found')
  })

  test('without a chat nothing is kept for later, and what it made can be deleted', async () => {
    const first = await run(ann, `fs.writeFileSync('/keep/a', 'a'); fs.writeFileSync('b.txt', 'b')`)
    expect(first.files.map(({ name }) => name)).toEqual(['b.txt'])
    expect((await run(ann, `console.log(fs.readdirSync('/keep').length)`)).stdout).toBe('0\n')
    const id = first.files[0]?.id ?? ''
    await ann.call(routes.removeFile, at(id))
    expect((await ann.refusal(routes.removeFile, at(id))).code).toBe('code_file_not_found')
  })

  test('too many files are told, and none of them stays', async () => {
    const { files, notes } = await run(ann, `for (let n = 0; n < 11; n++) fs.writeFileSync('/out/' + n, '')`)
    expect({ files, notes }).toEqual({ files: [], notes: ['too_many_out'] })
    const large = await run(ann, `fs.writeFileSync('/out/large', new Uint8Array(11 << 20))`)
    expect(large).toMatchObject({ files: [], notes: ['too_large_out'] })
  })

  test('it ends when its request does', async () => {
    const controller = new AbortController()
    const body = { language: 'javascript' as const, code: 'for (;;);', chatId: null }
    const endless = ann.answer(routes.run, { body }, { signal: controller.signal }).catch((error: unknown) => error)
    const next = run(ann, `console.log('next')`)
    // Another one runs beside it.
    expect((await run(ben, '1')).end).toBe('finished')
    controller.abort()
    await endless
    expect((await next).stdout).toBe('next\n')
  })

  test('an administrator turns it off, for some or for all', async () => {
    expect(await ann.call(routes.access, {})).toEqual({ allowed: true, mode: 'all-users', source: 'default' })
    expect((await ann.refusal(routes.updateAccess, { body: { mode: 'off' } })).code).toBe('forbidden')
    await admin.call(routes.updateAccess, { body: { mode: 'admins' } })
    expect(await ann.call(routes.access, {})).toEqual({ allowed: false, mode: 'admins', source: 'saved' })
    const body = { language: 'javascript' as const, code: '1', chatId: null }
    expect((await ann.refusal(routes.run, { body })).code).toBe('code_interpreter_off')
    expect((await run(admin, '1')).end).toBe('finished')
    const { items } = await admin.call(auditRoutes.list, { query: { limit: 50 } })
    const runs = items.filter(({ action }) => action === 'code.run')
    expect(runs.slice(0, 2).map(({ result, details }) => [result, JSON.stringify(details).includes('fs')])).toEqual([
      ['success', false],
      ['denied', false],
    ])
    await admin.call(routes.updateAccess, { body: { mode: 'off' } })
    expect((await admin.refusal(routes.run, { body })).code).toBe('code_interpreter_off')
    await admin.call(routes.updateAccess, { body: { mode: 'all-users' } })
  })

  test('running code can be for groups, ends at once for whoever leaves them, and is told by the preview and the audit', async () => {
    const [{ id: annId }, { id: benId }] = [
      await ann.call(accountsRoutes.me, {}),
      await ben.call(accountsRoutes.me, {}),
    ]
    const group = await admin.call(groupsRoutes.addGroup, { body: { name: 'Analysts' } })
    const member = { params: { id: group.id, accountId: annId } }
    await admin.call(groupsRoutes.addMember, member)
    const feature = (body: { mode: 'all-users' | 'groups'; groupIds?: string[] }) =>
      admin.call(accessRoutes.updateFeature, { params: { feature: 'code-interpreter' }, body })
    expect(
      (
        await ann.refusal(accessRoutes.updateFeature, {
          params: { feature: 'code-interpreter' },
          body: { mode: 'off' },
        })
      ).code,
    ).toBe('forbidden')
    await feature({ mode: 'groups', groupIds: [group.id] })
    expect(await ann.call(routes.access, {})).toMatchObject({ allowed: true, mode: 'groups' })
    expect(await ben.call(routes.access, {})).toMatchObject({ allowed: false })
    expect((await ben.refusal(routes.run, { body: { language: 'javascript', code: '1', chatId: null } })).code).toBe(
      'code_interpreter_off',
    )
    const names = async (client: Client) => (await client.call(toolsRoutes.catalog, {})).tools.map(({ name }) => name)
    expect([(await names(ann)).includes('run_code'), (await names(ben)).includes('run_code')]).toEqual([true, false])

    const preview = async (id: string) => {
      const { features } = await admin.call(userAdministrationRoutes.preview, { params: { id } })
      return features.find(({ name }) => name === 'code-interpreter')
    }
    const groups = [{ id: group.id, name: 'Analysts' }]
    expect(await preview(annId)).toMatchObject({ allowed: true, reason: 'group', groups })
    expect(await preview(benId)).toMatchObject({ allowed: false, reason: 'no-group' })

    const endless = ann.refusal(routes.run, { body: { language: 'javascript', code: 'for (;;) {}', chatId: null } })
    await admin.call(groupsRoutes.removeMember, member)
    expect((await endless).code).toBe('code_interpreter_off')

    const { items } = await admin.call(auditRoutes.list, { query: { action: 'feature.update' } })
    expect(items[0]).toMatchObject({
      targetType: 'feature',
      targetId: 'code-interpreter',
      details: { changes: ['mode: all-users → groups', `groups added: ${group.id}`] },
    })
    const { items: looks } = await admin.call(auditRoutes.list, { query: { action: 'user.preview' } })
    expect(looks.map(({ targetId }) => targetId)).toEqual([benId, annId])
    await feature({ mode: 'all-users' })
  })
})
