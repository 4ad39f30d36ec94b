import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { fieldNotesRoutes as routes, mostTitleLetters } from '@atrium/contract/field-notes'
import { systemRoutes } from '@atrium/contract/system'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

describe('field notes', () => {
  let app: TestApp
  let ann: Client
  let ben: Client
  beforeAll(async () => {
    app = await startTestApp()
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
  })
  afterAll(() => app?.close())

  const create = (client: Client, title: string) => client.call(routes.create, { body: { title } })
  const at = (fieldNoteId: string) => ({ params: { fieldNoteId } })
  const share = async (resourceId: string, reader: Client) => {
    const { id: principalId } = await reader.call(accountsRoutes.me, {})
    const body = { resourceType: 'field-note', resourceId, principalType: 'account', principalId } as const
    await ann.call(accessRoutes.grant, { body })
  }

  test('are listed newest first, page by page', async () => {
    const owner = await app.signUpUser('cyd')
    for (const title of ['First', 'Second', 'Third']) await create(owner, title)
    const first = await owner.call(routes.list, { query: { limit: 2 } })
    const rest = await owner.call(routes.list, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect([...first.items, ...rest.items].map(({ title }) => title)).toEqual(['Third', 'Second', 'First'])
    expect(rest.nextCursor).toBeNull()
    expect(await owner.refusal(routes.list, { query: { cursor: 'x' } })).toMatchObject({ code: 'bad_cursor' })
  })

  test('are renamed by their owner, and are gone once deleted', async () => {
    const { id } = await create(ann, '  Draft ')
    expect(await ann.call(routes.read, at(id))).toMatchObject({ title: 'Draft', ownerName: null })
    expect(await ann.call(routes.update, { ...at(id), body: { title: 'Final' } })).toMatchObject({ title: 'Final' })
    await ann.call(routes.remove, at(id))
    for (const refused of [
      ann.refusal(routes.read, at(id)),
      ann.refusal(routes.update, { ...at(id), body: { title: 'Late' } }),
      ann.refusal(routes.remove, at(id)),
    ])
      expect(await refused).toMatchObject({ status: 404, code: 'field_note_not_found' })
  })

  test('need a title that is neither empty nor too long', async () => {
    for (const title of ['', ' ', 'x'.repeat(mostTitleLetters + 1)])
      expect(await ann.refusal(routes.create, { body: { title } })).toMatchObject({ code: 'validation_failed' })
  })

  test('are read by whom they are shared with, and changed by their owner alone', async () => {
    const { id } = await create(ann, 'For two')
    await share(id, ben)
    expect(await ben.call(routes.read, at(id))).toMatchObject({ title: 'For two', ownerName: 'ann' })
    expect((await ben.call(routes.list, {})).items).toMatchObject([{ id, ownerName: 'ann' }])
    for (const refused of [
      ben.refusal(routes.update, { ...at(id), body: { title: 'Mine' } }),
      ben.refusal(routes.remove, at(id)),
    ])
      expect(await refused).toMatchObject({ status: 403, code: 'right_missing' })
  })

  test('tell the open pages of whom they are shared with of every change', async () => {
    const reader = await app.signUpUser('dee')
    const { id } = await create(ann, 'Watched')
    await share(id, reader)
    await ann.call(routes.update, { ...at(id), body: { title: 'Seen' } })
    await ann.call(routes.remove, at(id))
    let changes = 0
    for await (const { event } of reader.follow(systemRoutes.events, { query: { after: 0 } })) {
      if (event.type === 'field-notes-changed') changes += 1
      if (changes === 3) break
    }
    expect(changes).toBe(3)
  })
})
