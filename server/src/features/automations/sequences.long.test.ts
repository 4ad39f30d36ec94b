/** Whatever is done to an automation in whatever order, it runs as often as a model of ten lines says. */
import { automationsRoutes as routes } from '@atrium/contract/automations'
import { channelsRoutes } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { systemClock } from '../../platform/system-clock.ts'

const acts = ['pause', 'resume', 'run', 'edit', 'delete', 'tick'] as const
type Act = (typeof acts)[number]
const length = 5
const minuteMs = 60_000
const perAccount = 200
const atOnce = 16

const sequences = Array.from({ length: acts.length ** length }, (_, number) =>
  Array.from({ length }, (_each, place) => acts[Math.floor(number / acts.length ** place) % acts.length] as Act),
)

/** null: it is gone. */
const runsOf = (sequence: readonly Act[]): number | null => {
  let [paused, runs] = [false, 0]
  for (const act of sequence) {
    if (act === 'delete') return null
    if (act === 'pause') paused = true
    if (act === 'resume') paused = false
    if (act === 'run' || (act === 'tick' && !paused)) runs += 1
  }
  return runs
}

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  let next = 0
  const one = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

test('all sequences of five of pause, resume, run, edit, delete and tick', { timeout: 1_200_000 }, async () => {
  let ahead = 0
  const clock = { ...systemClock, now: () => Date.now() + ahead }
  const app = await startTestApp({ overrides: { clock } })
  try {
    await app.signUpAdmin()
    const owners: { client: Client; channelId: string }[] = []
    for (let count = 0; count * perAccount < sequences.length; count += 1) {
      const client = await app.signUpUser()
      const { id: channelId } = await client.call(channelsRoutes.create, { body: { type: 'private', name: 'Runs' } })
      owners.push({ client, channelId })
    }
    // All that is made or done in between takes less than this.
    const begin = Date.now() + 20 * minuteMs
    const tickAt = (step: number) => begin + step * 20 * minuteMs
    const made = sequences.map((sequence, index) => {
      const { client, channelId } = owners[Math.floor(index / perAccount)] as (typeof owners)[number]
      const body = {
        name: sequence.join(', '),
        instructions: 'It ran.',
        asksModel: false,
        target: { kind: 'channel', channelId } as const,
        overlap: 'parallel' as const,
        missed: 'skip' as const,
        notify: 'off' as const,
        triggers: sequence.flatMap((act, step) =>
          act === 'tick' ? [{ kind: 'once' as const, at: new Date(tickAt(step)).toISOString() }] : [],
        ),
      }
      return { sequence, client, body, id: '' }
    })
    await inParallel(made, async (one) => {
      one.id = (await one.client.call(routes.create, { body: one.body })).id
    })
    const wake = () => (owners[0] as (typeof owners)[number]).client.call(routes.list, {})
    for (let step = 0; step < length; step += 1) {
      await inParallel(made, async ({ sequence, client, body, id }) => {
        const act = sequence[step]
        if (act === 'tick' || sequence.slice(0, step).includes('delete')) return
        const at = { params: { automationId: id } }
        if (act === 'edit') await client.call(routes.update, { ...at, body: { ...body, name: `Edited ${id}` } })
        if (act === 'pause' || act === 'resume' || act === 'run') await client.call(routes[act], at)
        if (act === 'delete') await client.call(routes.remove, at)
      })
      ahead = tickAt(step) + 1000 - Date.now()
      await wake()
      const isOpen = async ({ client }: (typeof owners)[number]): Promise<boolean> => {
        const due = (await client.call(routes.list, {})).items.some(
          ({ nextRunAt }) => nextRunAt !== null && Date.parse(nextRunAt) <= tickAt(step),
        )
        const waiting = (await client.call(routes.runs, { query: { state: 'queued', limit: 1 } })).items.length > 0
        return due || waiting
      }
      for (const owner of owners) await expect.poll(() => isOpen(owner), { timeout: 300_000 }).toBe(false)
    }
    const wrong: string[] = []
    await inParallel(made, async ({ sequence, client, id }) => {
      const query = { automationId: id }
      const { items } = await client.call(routes.runs, { query })
      const ended = items.every(({ state }) => state === 'succeeded')
      if (!ended || items.length !== (runsOf(sequence) ?? 0))
        wrong.push(`${sequence.join(', ')}: ${items.map(({ trigger, state }) => `${trigger} ${state}`).join(', ')}`)
    })
    expect(wrong).toEqual([])
  } finally {
    await app.close()
  }
})
