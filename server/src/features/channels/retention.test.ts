import { channelsRoutes as routes } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import { realClock } from '../../testing/clock.ts'

test('messages go when the time is over that their channel keeps them, and threads after their last reply', async () => {
  let shift = 0
  const clock = { ...realClock, now: () => realClock.now() + shift }
  const env = { SESSION_DAYS: '3650', SESSION_IDLE_HOURS: '87600' }
  const app = await startTestApp({ env, overrides: { clock } })
  try {
    const ann = await app.signUpAdmin()
    const { id } = await ann.call(routes.create, { body: { type: 'private', name: 'Short' } })
    const at = { params: { channelId: id } }
    const kept = await ann.call(routes.create, { body: { type: 'private', name: 'Long' } })
    const post = (content: string, parentId?: string) =>
      ann.call(routes.post, { ...at, body: { content, ...(parentId ? { parentId } : {}) } })
    await ann.call(routes.post, { params: { channelId: kept.id }, body: { content: 'stays' } })
    await post('old okapi')
    const root = await post('a question')
    await post('an early answer', root.id)
    expect(await ann.call(routes.update, { ...at, body: { retentionDays: 30 } })).toMatchObject({ retentionDays: 30 })
    const days = 24 * 60 * 60_000
    shift += 20 * days
    await post('a late answer', root.id)
    shift += 11 * days
    const words = async (channelId: string) =>
      (await ann.call(routes.messages, { params: { channelId }, query: {} })).items.map(({ content }) => content)
    await expect.poll(() => words(id)).toEqual(['a question'])
    expect((await ann.call(routes.thread, { params: { messageId: root.id }, query: {} })).items).toHaveLength(2)
    const { seq } = await post('new')
    expect(seq).toBe(5)
    expect(await words(kept.id)).toEqual(['stays'])
    const told = []
    for await (const { event } of ann.follow(routes.events, { ...at, query: { after: 0 } })) {
      told.push(event)
      // Old events go by themselves, too: then the stream says so.
      if (event.type === 'reset' || (event.type === 'message-created' && event.data.message.seq === 5)) break
    }
    expect(JSON.stringify(told)).not.toContain('okapi')
  } finally {
    await app.close()
  }
})
