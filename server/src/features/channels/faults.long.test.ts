/**
 * What happens to channels, notifications and automations while a process stands still, or its database is away: nothing is
 * lost, and nothing is there twice. The process is a real one, and so is the server of the database.
 */
import { accountsRoutes } from '@atrium/contract/accounts'
import { automationsRoutes } from '@atrium/contract/automations'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../platform/system-clock.ts'
import { startTestApp } from '../../testing/app.ts'
import { startAppProcess } from '../../testing/app-process.ts'
import { type Client, createClient } from '../../testing/client.ts'
import { linkTo } from '../../testing/outage.ts'

const before = 5
const during = 10

const begin = async () => {
  /** How far the clock of the process that goes on is ahead: two minutes pass for it at once. */
  let ahead = 0
  const app = await startTestApp({
    dialect: 'postgres',
    overrides: { clock: { ...systemClock, now: () => Date.now() + ahead } },
  })
  const link = await linkTo(app.databaseUrl ?? '')
  const child = await startAppProcess({ PORT: '0', DATA_DIR: app.dataDir, DATABASE_URL: link.url, DRAIN_SECONDS: '0' })
  onTestFinished(async () => {
    link.restore()
    process.kill(child.pid, 'SIGCONT')
    await child.kill()
    await link.close()
    await app.close()
  })
  const ann = await app.signUpAdmin()
  const ben = await app.signUpUser('ben')
  const memberIds = [(await ben.call(accountsRoutes.me, {})).id]
  const { id } = await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds } })
  const there = (client: Client): Client => createClient(child.url, client.token)
  /** Sends until it is accepted, as a page does: always with the same id. */
  const post = async (client: Client, n: number): Promise<void> => {
    const body = { id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, content: `@ben ${n}` }
    for (;;) {
      const sent = client.call(routes.post, { params: { channelId: id }, body }, { signal: AbortSignal.timeout(5000) })
      const isDone = await sent.then(
        () => true,
        () => false,
      )
      if (isDone) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  /** A page that comes back with its place, and all that it saw of messages, by their number in the channel. */
  const follow = (client: Client) => {
    const seen: number[] = []
    const stop = new AbortController()
    const run = async (): Promise<void> => {
      for (let after = 0; !stop.signal.aborted; ) {
        const frames = client.follow(routes.events, { params: { channelId: id }, query: { after } }, stop)
        try {
          for await (const { seq, event } of frames) {
            if (seq > 0) after = seq
            if (event.type === 'message-created') seen.push(event.data.message.seq)
          }
        } catch {
          // Its connection broke, or it was refused for now: it comes again.
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    const ended = run()
    onTestFinished(async () => {
      stop.abort()
      await ended
    })
    return seen
  }
  /** An automation whose time comes while one of the processes does nothing. */
  const automate = async (): Promise<() => Promise<string[]>> => {
    const at = new Date(Date.now() + ahead + 1500).toISOString()
    const target = { kind: 'channel', channelId: id } as const
    const body = {
      name: 'Due',
      instructions: 'Due.',
      triggers: [{ kind: 'once' as const, at }],
      asksModel: false,
      target,
    }
    const { id: automationId } = await ann.call(automationsRoutes.create, { body })
    return async () =>
      (await ann.call(automationsRoutes.runs, { query: { automationId } })).items.map(({ state }) => state)
  }
  const settle = async (seen: readonly number[], runs: () => Promise<string[]>): Promise<void> => {
    const all = before + during + 1
    await expect.poll(runs, { timeout: 120_000 }).toEqual(['succeeded'])
    await expect.poll(() => seen.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(all)
    const { items } = await ann.call(routes.messages, { params: { channelId: id }, query: { limit: 100 } })
    const counts = Array.from({ length: all }, (_, index) => index + 1)
    expect(items.map(({ seq }) => seq)).toEqual(counts)
    expect(new Set(items.map(({ content }) => content)).size).toBe(all)
    expect(seen).toEqual(counts)
    const told = (await ben.call(notificationsRoutes.list, { query: { limit: 100 } })).items.flatMap((one) =>
      one.kind === 'mention' ? [one.facts.messageId] : [],
    )
    expect(new Set(told).size).toBe(before + during)
    expect(told).toHaveLength(before + during)
  }
  const pass = (ms: number): void => {
    ahead += ms
  }
  return { app, link, child, ann, there, post, follow, automate, settle, pass }
}

test('a process that stands still for two minutes finds all of it done by the others, and does none of it again', async () => {
  const { child, ann, there, post, follow, automate, settle, pass } = await begin()
  const seen = follow(there(ann))
  for (let n = 0; n < before; n += 1) await post(there(ann), n)
  const runs = await automate()
  process.kill(child.pid, 'SIGSTOP')
  // One is on its way into the process that stands still, and is sent once more when that goes on.
  const underway = post(there(ann), before)
  for (let n = before + 1; n < before + during; n += 1) await post(ann, n)
  await expect.poll(runs, { timeout: 120_000 }).toEqual(['succeeded'])
  pass(120_000)
  await post(ann, before + during - 1)
  process.kill(child.pid, 'SIGCONT')
  await underway
  await settle(seen, runs)
})

test('while the server of the database is restarted, what is written is refused, and then taken once', async () => {
  const { link, ann, there, post, follow, automate, settle } = await begin()
  const seen = follow(there(ann))
  for (let n = 0; n < before; n += 1) await post(there(ann), n)
  const runs = await automate()
  link.cut()
  const posts = Array.from({ length: during }, (_, index) => post(there(ann), before + index))
  const refused = await there(ann).refusal(routes.list, {})
  expect(refused).toMatchObject({ status: 503 })
  await expect.poll(runs, { timeout: 120_000 }).toEqual(['succeeded'])
  link.restore()
  await Promise.all(posts)
  await settle(seen, runs)
})
