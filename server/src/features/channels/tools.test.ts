/** What models do with channels: for members alone, and only written to once somebody allowed it. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes } from '@atrium/contract/channels'
import { settingsRoutes } from '@atrium/contract/settings'
import { toolsRoutes } from '@atrium/contract/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { newChat, say } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'

let provider: Provider
let app: TestApp
let ann: Client
let ben: Client
let cyd: Client
let channelId = ''
beforeAll(async () => {
  provider = await startProvider()
  app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
  cyd = await app.signUpAdmin()
  ann = await app.signUpUser('ann')
  ben = await app.signUpUser('ben')
  for (const client of [ann, cyd])
    await client.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  const { id: benId } = await ben.call(accountsRoutes.me, {})
  const body = { type: 'private' as const, name: 'harbour', memberIds: [benId] }
  channelId = (await ann.call(channelsRoutes.create, { body })).id
  await ben.call(channelsRoutes.post, { params: { channelId }, body: { content: 'The crane is green.' } })
})
afterAll(async () => {
  await app?.close()
  await provider?.close()
})
const ask = async (client: Client, text: string) => say(client, (await newChat(client)).id, text)

test('members have their channels listed, searched and read; nobody else is offered as much', async () => {
  const answer = await ask(
    ann,
    `<<list_channels {}>> then <<search_channels {"query":"crane"}>> then <<read_channel {"id":"${channelId}"}>>`,
  )
  expect(answer.toolCalls.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'list_channels succeeded',
    'search_channels succeeded',
    'read_channel succeeded',
  ])
  const [listed, found, read] = answer.toolCalls.map(({ result }) => result?.text)
  expect(listed).toContain(`#harbour (id ${channelId})`)
  expect(found).toContain('The crane is green.')
  expect(read).toMatch(/ben, .*: The crane is green\./)
  const { tools } = await ann.call(toolsRoutes.catalog, {})
  expect(tools.find(({ name }) => name === 'read_channel')).toMatchObject({
    mode: 'allow',
    readsPrivateData: true,
    readsForeignText: true,
    sendsData: false,
  })
  const others = (await cyd.call(toolsRoutes.catalog, {})).tools.map(({ name }) => name)
  expect(others).not.toContain('read_channel')
  // An administrator who is in another channel reads this one no more than before.
  await cyd.call(channelsRoutes.create, { body: { type: 'private', name: 'office' } })
  const stolen = await ask(cyd, `<<read_channel {"id":"${channelId}"}>> then <<search_channels {"query":"crane"}>>`)
  expect(stolen.toolCalls).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
  expect(JSON.stringify(stolen)).not.toContain('crane is green')
})

test('a message is written once it was allowed, once, and not where it was denied', async () => {
  const posting = async (message: string, decision: 'allow_once' | 'deny') => {
    const answer = ask(ann, `<<post_to_channel {"id":"${channelId}","message":"${message}"}>>`)
    const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
    await expect.poll(async () => (await pending()).length).toBe(1)
    const approvalId = (await pending())[0]?.id ?? ''
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision } })
    return (await answer).toolCalls[0]?.status
  }
  expect(await posting('It was painted.', 'allow_once')).toBe('succeeded')
  expect(await posting('Forget it.', 'deny')).toBe('denied')
  const { items } = await ben.call(channelsRoutes.messages, { params: { channelId }, query: {} })
  expect(items.map(({ content }) => content)).toEqual(['The crane is green.', 'It was painted.'])
})
