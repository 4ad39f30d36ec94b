import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onArrival, openDrafts, saveSoon } from './draft-sync.ts'
import { keepDraft, placeOf, readKept } from './kept-draft.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString()
const draft = (content: string, minute: number) => ({ channelId: 'c', parentId: null, content, updatedAt: at(minute) })

let asked: PromiseWithResolvers<Response>[]
let shown: string[]

/** The answers that are given to requests, in their order. */
async function request(index: number): Promise<PromiseWithResolvers<Response>> {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(index))
  return asked[index] as PromiseWithResolvers<Response>
}

beforeEach(() => {
  asked = []
  shown = []
  vi.stubGlobal('fetch', () => {
    const answer = Promise.withResolvers<Response>()
    asked.push(answer)
    return answer.promise
  })
  // What a browser has and Node has not: a window, and a storage whose keys are its own.
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window))
  const storage = Object.create({
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => void (storage[key] = value),
    removeItem: (key: string) => delete storage[key],
  }) as Record<string, string>
  vi.stubGlobal('localStorage', storage)
  onArrival((_place, content) => shown.push(content))
})
afterEach(() => vi.unstubAllGlobals())

test('what is saved while drafts are read stays in its box, though the answer does not have it', async () => {
  openDrafts('ann')
  const first = await request(0)
  const place = placeOf('ann', 'c', null)
  keepDraft(place, { content: 'typed', saved: false, at: at(1) })
  saveSoon({ place, channelId: 'c', rootId: null })
  // What is typed goes out with the page, without a pause before it.
  dispatchEvent(new Event('pagehide'))
  ;(await request(1)).resolve(Response.json({ updatedAt: at(2) }))
  await vi.waitFor(() => expect(readKept(place)?.saved).toBe(true))
  first.resolve(Response.json({ items: [] }))
  ;(await request(2)).resolve(Response.json({ items: [draft('typed', 2)] }))
  await new Promise((resolve) => setImmediate(resolve))
  expect(readKept(place)?.content).toBe('typed')
  expect(shown).toEqual([])
})

test('of two answers the one that was asked for last counts, whichever comes first', async () => {
  openDrafts('ben')
  openDrafts('cid')
  openDrafts('ben')
  ;(await request(2)).resolve(Response.json({ items: [draft('from the phone', 2)] }))
  await vi.waitFor(() => expect(shown).toEqual(['from the phone']))
  asked[0]?.resolve(Response.json({ items: [] }))
  asked[1]?.resolve(Response.json({ items: [] }))
  await new Promise((resolve) => setImmediate(resolve))
  expect(shown).toEqual(['from the phone'])
})
