import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { searchRoutes } from '@atrium/contract/search'
import { expect, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

test('operators find messages by channel, person, mention, link, file, pin and thread, in the own channels alone', async () => {
  const app = await startTestApp()
  try {
    await app.signUpAdmin()
    const ann = await app.signUpUser('ann')
    const ben = await app.signUpUser('ben')
    const cyd = await app.signUpUser('cyd')
    const { id: benId } = await ben.call(accountsRoutes.me, {})
    const create = async (name: string) =>
      (await ann.call(routes.create, { body: { type: 'private', name, memberIds: [benId] } })).id
    const [team, lunch] = [await create('Team'), await create('Team lunch')]
    const post = (client: Client, channelId: string, content: string, more: object = {}) =>
      client.call(routes.post, { params: { channelId }, body: { content, ...more } })
    const link = await post(ann, team, 'Roof plans at https://roof.example/')
    const mention = await post(ann, team, 'Roof for @ben')
    const pinned = await post(ben, lunch, 'Roof garden')
    await ann.call(routes.pin, { params: { messageId: pinned.id }, body: {} })
    const reply = await post(ann, lunch, 'A reply about it', { parentId: pinned.id })
    const inTeam = { params: { channelId: team }, query: { name: 'a.txt' }, file: new Blob(['x']) }
    const { id: fileId } = await ben.call(routes.attach, inTeam)
    const file = await post(ben, team, 'Roof file', { attachmentIds: [fileId] })
    const find = async (q: string, client = ben) =>
      (await client.call(searchRoutes.everything, { query: { q } })).items.map(({ id }) => id).toSorted()
    const are = (...messages: { id: string }[]) => messages.map(({ id }) => id).toSorted()
    expect(await find('#"team lunch" roof')).toEqual(are(pinned))
    expect(await find('#lunch')).toEqual(are(pinned, reply))
    expect(await find('@ann roof')).toEqual(are(link, mention))
    expect(await find('@nobody roof')).toEqual([])
    expect(await find('is:mention')).toEqual(are(mention))
    expect(await find('is:mention', ann)).toEqual([])
    expect(await find('has:link')).toEqual(are(link))
    expect(await find('has:file roof')).toEqual(are(file))
    expect(await find('has:pin #lunch')).toEqual(are(pinned))
    expect(await find('has:thread')).toEqual(are(pinned))
    expect(await find('has:link @ben')).toEqual([])
    expect(await find('has:code roof')).toEqual([])
    for (const q of ['#team', '@ann roof', 'has:link', 'has:pin', 'is:mention']) expect(await find(q, cyd)).toEqual([])
    await ann.call(routes.edit, { params: { messageId: link.id }, body: { content: 'Roof plans' } })
    expect(await find('has:link')).toEqual([])
  } finally {
    await app.close()
  }
})
