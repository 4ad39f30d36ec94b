import type { ChannelMessage } from '@atrium/contract/channels'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../api/query.ts'
import { putChannel } from '../data/list.ts'
import { loadTimeline, refreshTimeline, reloadTimeline } from './load.ts'
import { forgetTimelines, openTimeline, takeEvents } from './store.ts'

const ann = { id: 'ann', name: 'ann', avatar: null }
const at = new Date(0).toISOString()
const message = (seq: number, content = `text ${seq}`): ChannelMessage => ({
  id: `m${seq}`,
  channelId: 'c',
  seq,
  parentId: null,
  inChannel: false,
  author: ann,
  answer: null,
  content,
  forwarded: null,
  mentions: [],
  attachments: [],
  reactions: [],
  createdAt: at,
  editedAt: null,
  deletedAt: null,
  pinnedAt: null,
  replyCount: 0,
  lastReplyAt: null,
})
const page = (...items: ChannelMessage[]) => Response.json({ items, nextCursor: null, hasNewer: false })
const edited = (seq: number, content: string) =>
  takeEvents('c', [{ type: 'message-edited', data: { message: message(seq, content) } }])

let asked: PromiseWithResolvers<Response>[]

/** The answers that are given to requests, in their order. */
async function request(index: number): Promise<PromiseWithResolvers<Response>> {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(index))
  return asked[index] as PromiseWithResolvers<Response>
}
const shown = () =>
  openTimeline('c')
    .store.getState()
    .timeline?.messages.map(({ content }) => content)

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', () => {
    const answer = Promise.withResolvers<Response>()
    asked.push(answer)
    return answer.promise
  })
  putChannel({ id: 'c', isMember: true, unreadCount: 0, readSeq: 0, lastSeq: 2 } as Parameters<typeof putChannel>[0])
})
afterEach(() => {
  vi.unstubAllGlobals()
  forgetTimelines('c')
  queryClient.clear()
})

test('what happens while the end of a timeline is read again stands, also where the answer is older', async () => {
  const one = openTimeline('c')
  const loaded = loadTimeline(one)
  ;(await request(0)).resolve(page(message(1)))
  await loaded
  const refreshed = refreshTimeline(one)
  const answer = await request(1)
  edited(1, 'new text')
  answer.resolve(page(message(1), message(2)))
  await refreshed
  expect(shown()).toEqual(['new text', 'text 2'])
})

test('what is heard while two answers are on their way is on top of both', async () => {
  const one = openTimeline('c')
  const loaded = loadTimeline(one)
  ;(await request(0)).resolve(page(message(1)))
  await loaded
  const first = refreshTimeline(one)
  const second = refreshTimeline(one)
  const answers = [await request(1), await request(2)]
  edited(1, 'new text')
  for (const answer of answers) answer.resolve(page(message(1)))
  await Promise.all([first, second])
  expect(shown()).toEqual(['new text'])
})

test('what calls for another look while a timeline is loaded is read after that', async () => {
  const one = openTimeline('c')
  const loaded = loadTimeline(one)
  const looks = [refreshTimeline(one), reloadTimeline(one)]
  ;(await request(0)).resolve(page(message(1)))
  ;(await request(1)).resolve(page(message(1), message(2)))
  ;(await request(2)).resolve(page(message(1), message(2)))
  await Promise.all([loaded, ...looks])
  expect(shown()).toEqual(['text 1', 'text 2'])
})
