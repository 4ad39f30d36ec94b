import { expect, test } from 'vitest'
import { fail } from '../../../platform/http/refusal.ts'
import { whileAllowed } from './passes.ts'

const piecesOf = async function* (count: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < count; at++) yield Uint8Array.of(at)
}

test('what is being read is cut off within a second after it may not be read any more', async () => {
  let [now, asked, allowed] = [0, 0, true]
  const body = whileAllowed({ size: 9, read: (start, end) => piecesOf(end - start) }, { now: () => now }, async () => {
    asked += 1
    if (!allowed) throw fail('chat_link_not_found')
  })
  if (!('read' in body)) throw new Error('It is not read in ranges any more.')
  const reading = body.read(0, 9)[Symbol.asyncIterator]()
  const next = async () => (await reading.next()).value?.[0]
  expect([await next(), await next(), asked]).toEqual([0, 1, 0])
  now += 1000
  expect([await next(), await next(), asked]).toEqual([2, 3, 1])
  allowed = false
  expect([await next(), asked]).toEqual([4, 1])
  now += 1000
  await expect(reading.next()).rejects.toMatchObject({ code: 'chat_link_not_found' })
  expect(await reading.next()).toMatchObject({ done: true })
})
