/** Who types is told to who looks at the channel, and to nobody else. */
import { once } from 'node:events'
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { realClock } from '../../testing/clock.ts'

let app: TestApp
/** When the clock of the server stands still. */
let stoodAt: number | null = null
beforeAll(async () => {
  const clock = { ...realClock, now: () => stoodAt ?? realClock.now() }
  app = await startTestApp({ overrides: { clock } })
  await app.signUpAdmin()
})
afterAll(() => app?.close())

interface Heard {
  readonly type: string
  readonly data: { readonly stream?: string; readonly data?: unknown }
}

/** A page of an account that shows a channel. */
const look = async (client: Client, channelId: string) => {
  const { ticket } = await client.call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
  const line = new WebSocket(`${app.url.replace('http', 'ws')}/ws?ticket=${ticket}`)
  const heard: Heard[] = []
  line.on('message', (text: Buffer) => heard.push(JSON.parse(text.toString())))
  await once(line, 'open')
  line.send('{"type":"places","data":{"places":{}}}')
  line.send(JSON.stringify({ type: 'shows', data: { streams: [`channel:${channelId}`] } }))
  await expect.poll(() => heard.map(({ type }) => type)).toContain('streams-opened')
  return { line, signals: () => heard.filter(({ type }) => type === 'stream-signal').map(({ data }) => data.data) }
}

test('typing is told to members who look at the channel, by name, and strangers are told nothing', async () => {
  const [ann, ben, eve] = [await app.signUpUser('ann'), await app.signUpUser('ben'), await app.signUpUser('eve')]
  const { id: benId } = await ben.call(accountsRoutes.me, {})
  const { id: annId } = await ann.call(accountsRoutes.me, {})
  const { id } = await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds: [benId] } })
  const params = { channelId: id }
  const page = await look(ben, id)
  const stranger = await look(eve, id)
  // One of each person in two seconds: the third call says nothing.
  stoodAt = realClock.now()
  await ann.call(routes.typing, { params, body: {} })
  await ann.call(routes.typing, { params, body: { parentId: 'thread' } })
  await ann.call(routes.typing, { params, body: {} })
  stoodAt = null
  const user = { id: annId, name: 'ann', avatar: null }
  await expect.poll(page.signals).toEqual([
    { user, parentId: null },
    { user, parentId: 'thread' },
  ])
  expect(await eve.refusal(routes.typing, { params, body: {} })).toMatchObject({ code: 'channel_not_found' })
  await ann.call(routes.update, { params, body: { posting: 'moderators' } })
  expect(await ben.refusal(routes.typing, { params, body: {} })).toMatchObject({ code: 'channel_muted' })
  expect(stranger.signals()).toEqual([])
  for (const { line } of [page, stranger]) line.close()
})
