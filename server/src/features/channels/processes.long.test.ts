/**
 * Many write in one channel over three processes, many more follow it and break off again and again, and one process is
 * killed: each follower sees every message once, in one order.
 */
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import { startAppProcess } from '../../testing/app-process.ts'
import { type Client, createClient } from '../../testing/client.ts'

const writers = 20
const messagesOfEach = 10
const accounts = 40
const followersOfEach = 5
const all = writers * messagesOfEach

test('two hundred followers see what twenty write once, in one order, though one process is killed', async () => {
  const app = await startTestApp({ dialect: 'postgres' })
  const env = { PORT: '0', DATA_DIR: app.dataDir, DATABASE_URL: app.databaseUrl ?? '', DRAIN_SECONDS: '0' }
  const [killed, other] = await Promise.all([startAppProcess(env), startAppProcess(env)])
  const stop = new AbortController()
  /** Where somebody asks: whoever was at the process that is killed goes elsewhere. */
  let urls = [app.url, killed.url, other.url]
  const there = (client: Client, n: number): Client => createClient(urls[n % urls.length] ?? app.url, client.token)
  try {
    const admin = await app.signUpAdmin()
    const people = await Promise.all(Array.from({ length: accounts }, (_, n) => app.signUpUser(`person${n}`)))
    const memberIds = await Promise.all(people.map(async (client) => (await client.call(accountsRoutes.me, {})).id))
    const { id: channelId } = await admin.call(routes.create, { body: { type: 'private', name: 'Team', memberIds } })

    /** Comes back with its place each time that it broke off, which it does by itself after a few messages. */
    const follow = async (client: Client, n: number): Promise<number[]> => {
      const seen: number[] = []
      for (let after = 0, visits = n; seen.length < all && !stop.signal.aborted; visits += 1) {
        let left = 5 + ((n * 7) % 23)
        const frames = there(client, visits).follow(routes.events, { params: { channelId }, query: { after } }, stop)
        try {
          for await (const { seq, event } of frames) {
            if (seq > 0) after = seq
            if (event.type === 'message-created') seen.push(event.data.message.seq)
            left -= 1
            if (left === 0 || seen.length >= all) break
          }
        } catch {
          // Its process was killed, or refuses for now: it comes again, elsewhere.
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
      return seen
    }
    /** Sends until it is accepted, as a page does: always with the same id. */
    const post = async (client: Client, n: number): Promise<void> => {
      const body = { id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, content: `Number ${n}` }
      for (let tries = n; ; tries += 1) {
        const sent = there(client, tries).call(routes.post, { params: { channelId }, body })
        if (
          await sent.then(
            () => true,
            () => false,
          )
        )
          return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }

    const following = people.flatMap((client, person) =>
      Array.from({ length: followersOfEach }, (_, n) => follow(client, person * followersOfEach + n)),
    )
    let sent = 0
    const writing = people.slice(0, writers).map(async (client, writer) => {
      for (let n = 0; n < messagesOfEach; n += 1) {
        await post(client, writer * messagesOfEach + n)
        sent += 1
        if (sent === all / 2) {
          await killed.kill()
          urls = [app.url, other.url]
        }
      }
    })
    await Promise.all(writing)
    const order = Array.from({ length: all }, (_, index) => index + 1)
    for (const seen of await Promise.all(following)) expect(seen).toEqual(order)
  } finally {
    stop.abort()
    await killed.kill()
    await other.stop()
    await app.close()
  }
})
