import { expect, test } from 'vitest'
import { type LinkEvent, createLinkWatch } from './watch.ts'

const started = () => {
  const states = new Map<string, { updatedAt: number }>()
  const asked: string[][] = []
  let allowed = true
  const watch = createLinkWatch({
    states: async (ids) => {
      asked.push([...ids])
      return new Map([...states].filter(([id]) => ids.includes(id)))
    },
    isAllowed: async () => allowed,
    log: { warn: () => {} },
  })
  const open = (linkId: string, address = '192.0.2.1', leftMs = 60_000) => {
    const leave = new AbortController()
    const frames = watch.follow({ linkId, ownerId: 'ann', leftMs, after: 0, address, signal: leave.signal })
    const next = async (): Promise<LinkEvent['type'] | undefined> => {
      const step = await frames.next()
      return step.done ? undefined : step.value.event.type
    }
    return { next, leave: () => leave.abort() }
  }
  const say = (id: string, updatedAt: number) => states.set(id, { updatedAt })
  return { watch, states, asked, open, say, forbid: () => (allowed = false) }
}

test('all who have links open are told by one look', async () => {
  const { watch, asked, open, say } = started()
  say('a', 1)
  say('b', 1)
  const pages = [open('a'), open('a'), open('b')]
  expect(await Promise.all(pages.map(({ next }) => next()))).toEqual(['changed', 'changed', 'changed'])
  const told = pages.map(({ next }) => next())
  say('a', 2)
  say('b', 2)
  watch.look()
  expect(await Promise.all(told)).toEqual(['changed', 'changed', 'changed'])
  expect(asked.at(-1)).toEqual(['a', 'b'])
  for (const page of pages) page.leave()
})

test('a link that is gone ends its pages alone, and all end where links are not allowed any more', async () => {
  const { watch, states, open, say, forbid } = started()
  say('a', 1)
  say('b', 1)
  const [one, other] = [open('a'), open('b')]
  await Promise.all([one.next(), other.next()])
  const [ended, stays] = [one.next(), other.next()]
  states.delete('a')
  watch.look()
  expect(await ended).toBe('ended')
  expect(await one.next()).toBeUndefined()
  forbid()
  watch.look()
  expect(await stays).toBe('ended')
})

test('a page ends with its visit', async () => {
  const { open, say } = started()
  say('a', 1)
  const page = open('a', '192.0.2.1', 30)
  expect([await page.next(), await page.next()]).toEqual(['changed', 'ended'])
})

test('one address follows thirty links at most, and the addresses of one network of IPv6 are one', async () => {
  const { open, say } = started()
  say('a', 1)
  const many = Array.from({ length: 30 }, (_, n) => open('a', `2001:db8::${n}`))
  await Promise.all(many.map(({ next }) => next()))
  await expect(open('a', '2001:db8::ffff').next()).rejects.toMatchObject({ code: 'rate_limited' })
  const elsewhere = open('a', '2001:db8:1::1')
  expect(await elsewhere.next()).toBe('changed')
  for (const page of [...many, elsewhere]) page.leave()
})
