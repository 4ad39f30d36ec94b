import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { artifactsRoutes as routes, mostContentLetters, mostVersions } from '@atrium/contract/artifacts'
import { searchRoutes } from '@atrium/contract/search'
import { settingsRoutes } from '@atrium/contract/settings'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'

describe('artifacts', () => {
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

  const at = (artifactId: string) => ({ params: { artifactId } })
  const version = (id: string, number: number) => ({ params: { artifactId: id, version: number } })
  const make = (client: Client, content: string, title = 'Page') =>
    client.call(routes.create, { body: { kind: 'html', title, content } })
  const share = async (resourceId: string, reader: Client, right: 'read' | 'write') => {
    const { id: principalId } = await reader.call(accountsRoutes.me, {})
    const body = { resourceType: 'artifact', resourceId, principalType: 'account', principalId, right } as const
    await ann.call(accessRoutes.grant, { body })
  }

  test('have a version for each change of their content, with who wrote it', async () => {
    const { id } = await make(ann, '<p>One</p>')
    await ann.call(routes.update, { ...at(id), body: { content: '<p>Two</p>' } })
    const same = await ann.call(routes.update, { ...at(id), body: { content: '<p>Two</p>', title: 'Renamed' } })
    expect(same).toMatchObject({ title: 'Renamed', version: 2, content: '<p>Two</p>', sizeBytes: 10 })
    const restored = await ann.call(routes.restore, version(id, 1))
    expect(restored).toMatchObject({ version: 3, content: '<p>One</p>' })
    const { items } = await ann.call(routes.versions, at(id))
    expect(items.map(({ number, restoredFrom }) => [number, restoredFrom])).toEqual([
      [3, 1],
      [2, null],
      [1, null],
    ])
    expect(items[0]?.author).toEqual({ kind: 'person', name: 'ann' })
    expect(await ann.call(routes.readVersion, version(id, 2))).toMatchObject({ content: '<p>Two</p>' })
    expect((await ann.refusal(routes.readVersion, version(id, 9))).code).toBe('artifact_version_not_found')
    expect((await ann.refusal(routes.restore, version(id, 9))).code).toBe('artifact_version_not_found')
  })

  test('refuse a change of a version that is no longer the newest, with what stands', async () => {
    const { id } = await make(ann, 'One')
    await ann.call(routes.update, { ...at(id), body: { content: 'Two', version: 1 } })
    const refused = await ann.refusal(routes.update, { ...at(id), body: { content: 'Three', version: 1 } })
    expect(refused).toMatchObject({ code: 'conflict', problem: { current: { version: 2, content: 'Two' } } })
    const contents = Array.from({ length: 6 }, (_, n) => `Race ${n}`)
    const tries = await Promise.all(
      contents.map(async (content) => {
        const answer = await ann.answer(routes.update, { ...at(id), body: { content, version: 2 } })
        await answer.body?.cancel()
        return answer.status
      }),
    )
    expect(tries.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409, 409, 409])
    expect((await ann.call(routes.versions, at(id))).items).toHaveLength(3)
  })

  test('keep one version of what is saved by itself while somebody writes, and those that are saved by hand', async () => {
    const { id } = await make(ann, 'Start')
    const write = (client: Client, content: string, autosave: boolean, at_?: number) =>
      client.call(routes.update, { ...at(id), body: { content, autosave, version: at_ } })
    const kept = async () => (await ann.call(routes.versions, at(id))).items.map(({ number }) => number)
    await write(ann, 'a', true, 1)
    await write(ann, 'ab', true, 2)
    expect(await write(ann, 'abc', true, 3)).toMatchObject({ version: 4, content: 'abc' })
    expect(await kept()).toEqual([4, 1])
    expect((await ann.refusal(routes.update, { ...at(id), body: { content: 'old', version: 2 } })).code).toBe(
      'conflict',
    )
    await write(ann, 'abc', false)
    await write(ann, 'abcd', true)
    expect(await kept()).toEqual([5, 4, 1])
    await ann.call(routes.restore, version(id, 1))
    expect(await kept()).toEqual([6, 5, 4, 1])
    await write(ann, 'By Ann', true)
    const eve = await app.signUpUser('eve')
    await share(id, eve, 'write')
    await write(eve, 'By Eve', true)
    await write(ann, 'By Ann again', true)
    expect(await kept()).toEqual([9, 8, 7, 6, 5, 4, 1])
  })

  test('keep a new title and new content that come at the same time', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await make(ann, 'One')
      await Promise.all([
        ann.call(routes.update, { ...at(id), body: { content: 'Two' } }),
        ann.call(routes.update, { ...at(id), body: { title: 'Other' } }),
      ])
      expect(await ann.call(routes.read, at(id))).toMatchObject({ title: 'Other', content: 'Two', version: 2 })
    }
  })

  test('stay when their chat is deleted, and name it no more', async () => {
    const chat = await ann.call(chatRoutes.create, { body: { selection: local('echo') } })
    const { id } = await ann.call(routes.create, {
      body: { kind: 'html', title: 'Page', content: 'One', chatId: chat.id },
    })
    expect((await ann.call(routes.read, at(id))).chatId).toBe(chat.id)
    await ann.call(chatRoutes.remove, { params: { sessionId: chat.id } })
    await ann.call(trashRoutes.remove, { params: { id: chat.id } })
    await expect.poll(async () => (await ann.call(routes.read, at(id))).chatId).toBeNull()
  })

  test('are changed by whom they are shared with to change, and read by readers alone', async () => {
    const { id } = await make(ann, 'Shared')
    for (const refused of [
      ben.refusal(routes.read, at(id)),
      ben.refusal(routes.versions, at(id)),
      ben.refusal(routes.readVersion, version(id, 1)),
      ben.refusal(routes.restore, version(id, 1)),
    ])
      expect(await refused).toMatchObject({ status: 404, code: 'artifact_not_found' })
    await share(id, ben, 'read')
    expect(await ben.call(routes.read, at(id))).toMatchObject({ ownerName: 'ann', right: 'read', chatId: null })
    for (const refused of [
      ben.refusal(routes.update, { ...at(id), body: { content: 'Mine' } }),
      ben.refusal(routes.restore, version(id, 1)),
      ben.refusal(routes.remove, at(id)),
    ])
      expect(await refused).toMatchObject({ status: 403, code: 'right_missing' })
    await share(id, ben, 'write')
    expect(await ben.call(routes.update, { ...at(id), body: { content: 'By Ben' } })).toMatchObject({
      version: 2,
      author: { kind: 'person', name: 'ben' },
    })
    expect((await ben.refusal(routes.remove, at(id))).code).toBe('right_missing')
    expect((await ben.call(routes.list, { query: { of: 'others' } })).items).toMatchObject([{ id, right: 'write' }])
    expect((await ben.call(routes.list, { query: { of: 'me' } })).items).toEqual([])
  })

  test('are listed by what changed last, by kind and page by page', async () => {
    const owner = await app.signUpUser('cyd')
    const [first] = [await make(owner, '1', 'First'), await make(owner, '2', 'Second')]
    await owner.call(routes.create, { body: { kind: 'csv', title: 'Table', content: 'a,b' } })
    await owner.call(routes.update, { ...at(first.id), body: { content: 'changed' } })
    const page = await owner.call(routes.list, { query: { limit: 2 } })
    const rest = await owner.call(routes.list, { query: { limit: 2, cursor: page.nextCursor ?? '' } })
    expect([...page.items, ...rest.items].map(({ title }) => title).toSorted()).toEqual(['First', 'Second', 'Table'])
    expect(page.items[0]?.title).toBe('First')
    expect((await owner.call(routes.list, { query: { kind: 'csv' } })).items.map(({ title }) => title)).toEqual([
      'Table',
    ])
    expect(await owner.refusal(routes.list, { query: { cursor: 'x' } })).toMatchObject({ code: 'bad_cursor' })
  })

  test('are found by the words of what stands now, by their owner and by readers', async () => {
    const { id } = await make(ann, '<h1>A quokka dances</h1>', 'Zoo')
    const found = async (client: Client, q: string) =>
      (await client.call(searchRoutes.everything, { query: { q } })).items.map((hit) => hit.id)
    for (const q of ['quokka', 'zoo in:artifacts', 'zo in:artifact']) expect(await found(ann, q)).toEqual([id])
    expect(await found(ben, 'quokka')).toEqual([])
    await share(id, ben, 'read')
    expect(await found(ben, 'quokka in:artifacts')).toEqual([id])
    await ann.call(routes.update, { ...at(id), body: { content: '<h1>A wombat digs</h1>' } })
    expect(await found(ann, 'quokka')).toEqual([])
    expect(await found(ann, 'wombat in:chats')).toEqual([])
  })

  test('come back from the trash with all their versions', async () => {
    const { id } = await make(ann, 'One')
    await ann.call(routes.update, { ...at(id), body: { content: 'Two' } })
    await ann.call(routes.remove, at(id))
    for (const refused of [
      ann.refusal(routes.read, at(id)),
      ann.refusal(routes.versions, at(id)),
      ann.refusal(routes.readVersion, version(id, 1)),
      ann.refusal(routes.restore, version(id, 1)),
      ann.refusal(routes.export, { ...at(id), query: {} }),
      ann.refusal(routes.update, { ...at(id), body: { title: 'Late' } }),
      ann.refusal(routes.remove, at(id)),
    ])
      expect((await refused).code).toBe('artifact_not_found')
    await ann.call(trashRoutes.restore, { params: { id } })
    expect((await ann.call(routes.versions, at(id))).items).toHaveLength(2)
  })

  test('keep the last versions and no more', async () => {
    const { id } = await make(ann, 'Start')
    await ann.call(routes.update, { ...at(id), body: { content: 'Half a word', autosave: true } })
    await ann.call(routes.update, { ...at(id), body: { content: 'A word', autosave: true } })
    for (let n = 0; n < mostVersions; n++)
      await ann.call(routes.update, { ...at(id), body: { content: `Change ${n}` } })
    const { items } = await ann.call(routes.versions, at(id))
    expect(items).toHaveLength(mostVersions)
    expect((await ann.refusal(routes.readVersion, version(id, 1))).code).toBe('artifact_version_not_found')
  })

  test('count with all their versions against the storage of their owner, until they leave the trash', async () => {
    const dot = await app.signUpUser('dot')
    const own = () => dot.call(accountDataRoutes.ownStorage, {})
    const setQuota = (storageQuotaBytes: number) =>
      admin.call(settingsRoutes.updateInstance, { body: { storageQuotaBytes } })
    const { id } = await make(dot, 'é'.repeat(200), 'Page')
    await dot.call(routes.update, { ...at(id), body: { content: 'x'.repeat(300) } })
    expect(await own()).toMatchObject({ usedBytes: 700, largest: [{ kind: 'artifact', id, name: 'Page', bytes: 700 }] })
    await setQuota(1000)
    const wide = 'x'.repeat(301)
    const principal = { principalType: 'account', principalId: (await ben.call(accountsRoutes.me, {})).id } as const
    await dot.call(accessRoutes.grant, {
      body: { resourceType: 'artifact', resourceId: id, right: 'write', ...principal },
    })
    for (const refused of [
      dot.refusal(routes.create, { body: { kind: 'html', title: 'Late', content: wide } }),
      dot.refusal(routes.update, { ...at(id), body: { content: wide } }),
      dot.refusal(routes.restore, version(id, 1)),
    ])
      expect(await refused).toMatchObject({ code: 'quota_full', problem: { detail: expect.stringContaining('700') } })
    const byOther = await ben.refusal(routes.update, { ...at(id), body: { content: wide } })
    expect(byOther).toMatchObject({ code: 'quota_full', problem: { detail: expect.not.stringContaining('700') } })
    expect(await dot.call(routes.update, { ...at(id), body: { title: 'Named' } })).toMatchObject({ version: 2 })
    await dot.call(routes.remove, at(id))
    expect(await own()).toMatchObject({ usedBytes: 700, largest: [{ id, trashed: true }] })
    expect((await own()).kinds.find(({ kind }) => kind === 'artifact')).toMatchObject({ count: 1, trashedBytes: 700 })
    await dot.call(trashRoutes.remove, { params: { id } })
    expect(await own()).toMatchObject({ usedBytes: 0, largest: [] })
    await setQuota(0)
  })

  test('refuse what is too long, of no kind, without a title, and in a chat of somebody else', async () => {
    const body = { kind: 'html', title: 'Page', content: '' } as const
    for (const wrong of [
      { ...body, content: 'x'.repeat(mostContentLetters + 1) },
      { ...body, title: ' ' },
      { ...body, title: 'turned \u202e round' },
      { ...body, kind: 'exe' as 'html' },
      { ...body, language: '<b>' },
    ])
      expect((await ann.refusal(routes.create, { body: wrong })).code).toBe('validation_failed')
    expect((await ann.refusal(routes.create, { body: { ...body, chatId: 'none' } })).code).toBe('chat_not_found')
  })

  test('are saved as files that no browser runs', async () => {
    const { id } = await ann.call(routes.create, {
      body: { kind: 'code', language: 'python', title: '../Plan "1"', content: 'print(1)' },
    })
    const answer = await ann.answer(routes.export, { ...at(id), query: {} })
    expect(await answer.text()).toBe('print(1)')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="_Plan _1_\.py"/)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('the frame of previews', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app?.close())

  test('is held back by its own headers, and by those of the app around it', async () => {
    const frame = await app.client().raw(routes.sandbox.path, { method: 'GET' })
    const header = (name: string) => frame.headers.get(name)
    expect(frame.status).toBe(200)
    const policy = (header('content-security-policy') ?? '').split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'unsafe-inline' 'unsafe-eval' blob:",
      "style-src 'unsafe-inline'",
      'img-src data: blob:',
      'font-src data: blob:',
      'media-src data: blob:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts allow-forms allow-pointer-lock',
    ])
    expect(header('connection-allowlist')).toBe('()')
    expect(header('origin-agent-cluster')).toBe('?1')
    expect(header('cache-control')).toBe('no-store')
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('referrer-policy')).toBe('no-referrer')
    expect(header('x-dns-prefetch-control')).toBe('off')
    expect(header('permissions-policy')).not.toMatch(/self|\*|"/)

    const around = await app.client().raw('/api/artifacts', { method: 'GET' })
    expect(around.headers.get('content-security-policy')).toMatch(
      /; frame-src [a-z0-9.]+:\d+\/api\/artifacts\/sandbox;/,
    )
    expect(around.headers.get('origin-agent-cluster')).toBe('?1')
  })
})
