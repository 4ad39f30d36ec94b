import type { Chat } from '@atrium/contract/chat'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEmptyChat } from './empty-chat.ts'
import { createQuestion } from './message.ts'
import { forgetChats, goToMessage, loadChat, loadLater, openChat, outdateReads, reloadChat } from './store.ts'

let asked: PromiseWithResolvers<Response>[]

/** The answers that are given to requests, in their order. */
async function request(index: number): Promise<PromiseWithResolvers<Response>> {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(index))
  return asked[index] as PromiseWithResolvers<Response>
}

const now = '2026-11-20T16:00:00.000Z'
const chatNamed = (title: string, change: Partial<Chat> = {}): Response => {
  const empty = createEmptyChat({ id: 'c', title, selection: null, folderId: null, expiresAt: null, now })
  return Response.json({ ...empty, ...change })
}
const title = () => openChat('c').store.getState().conversation?.head.title

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', () => {
    const answer = Promise.withResolvers<Response>()
    asked.push(answer)
    return answer.promise
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  forgetChats()
})

test('what was read of a chat before something was done to it is read once more before it is shown', async () => {
  const loading = loadChat(openChat('c'))
  ;(await request(0)).resolve(chatNamed('first'))
  await loading
  const reading = loadChat(openChat('c'))
  await request(1)
  outdateReads(openChat('c'))
  asked[1]?.resolve(chatNamed('before it'))
  ;(await request(2)).resolve(chatNamed('after it'))
  expect(title()).toBe('first')
  await reading
  expect(title()).toBe('after it')
})

test('of two reads the one that began later stays, whichever comes first, and none is repeated when they keep their order', async () => {
  const loading = loadChat(openChat('c'))
  ;(await request(0)).resolve(chatNamed('first'))
  await loading
  const inOrder = [loadChat(openChat('c')), loadChat(openChat('c'))]
  ;(await request(1)).resolve(chatNamed('second'))
  await inOrder[0]
  ;(await request(2)).resolve(chatNamed('third'))
  await inOrder[1]
  expect(title()).toBe('third')
  expect(asked).toHaveLength(3)

  const [early, late] = [loadChat(openChat('c')), loadChat(openChat('c'))]
  await request(4)
  asked[4]?.resolve(chatNamed('fifth'))
  await late
  asked[3]?.resolve(chatNamed('fourth'))
  ;(await request(5)).resolve(chatNamed('sixth'))
  await early
  expect(title()).toBe('sixth')
})

test('what calls for another look while a chat is opened is read after that', async () => {
  const opening = loadChat(openChat('c'))
  const looks = [reloadChat(openChat('c')), loadChat(openChat('c'))]
  ;(await request(0)).resolve(chatNamed('first'))
  ;(await request(1)).resolve(chatNamed('second'))
  await Promise.all([opening, ...looks])
  expect(title()).toBe('second')
  expect(asked).toHaveLength(2)
})

test('a chat that is read from an older message on leads to the active branch where its own was left meanwhile', async () => {
  const [root, old, oldEnd, other] = ['root', 'old', 'old-end', 'other'].map((id, depth) => ({
    ...createQuestion(null, id, [], Date.parse(now), id),
    depth,
  }))
  const branch = (end: typeof root) => ({
    activeLeafId: end?.id ?? null,
    messages: { items: end ? [end] : [], nextCursor: 'more' },
  })
  const shown = () =>
    openChat('c')
      .store.getState()
      .conversation?.messages.map(({ id }) => id)
  const loading = loadChat(openChat('c'))
  ;(await request(0)).resolve(chatNamed('a', branch(oldEnd)))
  await loading
  const going = goToMessage(openChat('c'), 'root')
  const around = { items: [root, old], nextCursor: null, previousCursor: 'old', active: true }
  ;(await request(1)).resolve(Response.json(around))
  await going
  const reloading = loadChat(openChat('c'))
  ;(await request(2)).resolve(chatNamed('a', branch(other)))
  await reloading
  expect(shown()).toEqual(['root', 'old'])

  const later = loadLater(openChat('c'))
  ;(await request(3)).resolve(Response.json({ items: [oldEnd], nextCursor: null }))
  ;(await request(4)).resolve(chatNamed('a', branch(other)))
  await later
  expect(shown()).toEqual(['other'])
})
