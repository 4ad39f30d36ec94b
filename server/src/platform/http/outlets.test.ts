import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createOutlets, endOutlet, type Piece } from './outlets.ts'

/** A client that reads all, and the outlet to it with what was given to its socket in one write each. */
const openOutlet = async (now: () => number) => {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => asked.resolve(response)).listen(0)
  onTestFinished(() => void server.close())
  const text = new Promise<string>((resolve, reject) => {
    get({ port: (server.address() as AddressInfo).port }, (answer) => {
      const pieces: Buffer[] = []
      answer
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () => resolve(Buffer.concat(pieces).toString()))
    }).on('error', reject)
  })
  const response = await asked.promise
  const outlets = createOutlets(now)
  const outlet = outlets.open(response, { 'content-type': 'text/plain' })
  await turn()
  const writes: string[] = []
  const { socket } = response
  const write = socket?.write.bind(socket)
  if (socket && write)
    socket.write = (piece: string | Uint8Array, ...rest: never[]) => {
      writes.push(Buffer.from(piece).toString())
      return write(piece, ...rest)
    }
  return { outlet, push: (piece: Piece) => outlets.push(outlet, piece), writes, text }
}

test('at rest every piece leaves as soon as the event loop has come round, and those of one turn leave together', async () => {
  const { outlet, push, writes, text } = await openOutlet(() => 0)
  for (let n = 1; n <= 20; n += 1) {
    push(`${n}a `)
    push(`${n}b `)
    await turn()
    expect(writes.at(-1)).toContain(`${n}a ${n}b `)
  }
  expect(writes).toHaveLength(20)
  endOutlet(outlet, 'end')
  expect(await text).toMatch(/^1a 1b 2a .*20b end$/)
})

test('while the loop is behind, the first pieces leave at once and later ones share a write', async () => {
  let ms = 0
  const { outlet, push, writes, text } = await openOutlet(() => (ms += 15))
  let prompt = 0
  for (; writes.length === prompt && prompt < 100; prompt += 1) {
    push(`${prompt} `)
    await turn()
    if (writes.length === prompt) break
  }
  // Head and beginning at least.
  expect(prompt).toBeGreaterThanOrEqual(5)
  for (let n = prompt + 1; n < prompt + 10; n += 1) push(`${n} `)
  await expect.poll(() => writes.length).toBeGreaterThan(prompt)
  expect(writes.at(-1)).toContain(`${prompt} ${prompt + 1} `)
  endOutlet(outlet)
  expect(await text).toContain(`${prompt + 8} ${prompt + 9} `)
})

test('text and bytes arrive whole, in their order', async () => {
  const { outlet, push, text } = await openOutlet(() => 0)
  push('größer ')
  push(Buffer.from('مرحبا '))
  push('😀 ')
  await turn()
  push(Buffer.from('bytes alone '))
  await turn()
  push('text alone ')
  endOutlet(outlet, 'end')
  expect(await text).toBe('größer مرحبا 😀 bytes alone text alone end')
})
