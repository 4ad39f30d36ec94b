import { createCipheriv, createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { bytes as asBytes, routes } from '@atrium/contract/route'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { startSample } from '../../testing/http-sample.ts'
import { createFiles } from '../files/files.ts'
import { fileMigrations } from '../files/tables.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { bindRoutes } from './area.ts'
import { fail } from './refusal.ts'

const mebibyte = 1024 * 1024
const filmBytes = 200 * mebibyte
const films = routes({
  watch: {
    method: 'get',
    path: '/api/films/{id}',
    names: 'instance',
    access: 'user',
    summary: 'A film',
    params: z.strictObject({ id: z.string() }),
    returns: asBytes,
  },
})

/** Bytes of any length that never repeat, without ever standing in memory. */
async function* filmInPieces(): AsyncIterable<Uint8Array> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16, 2))
  const nothing = Buffer.alloc(100_000)
  for (let left = filmBytes; left > 0; left -= nothing.length)
    yield cipher.update(nothing.subarray(0, Math.min(left, nothing.length)))
}

/** Bytes in buffers without what is garbage, at most in nine looks of ten: freed ones are counted a moment longer. */
const watchBuffers = () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const look = (): number => (collect(), process.memoryUsage().arrayBuffers)
  const before = look()
  const looks: number[] = []
  const timer = setInterval(() => looks.push(look() - before), 200)
  return (): number => {
    clearInterval(timer)
    return looks.toSorted((a, b) => a - b)[Math.floor(looks.length * 0.9)] ?? 0
  }
}

onBothDatabases('a film of 200 MB', (open) => {
  test('is written and played through in a few requests, and hardly any of it is ever in memory', async () => {
    const database = await open([...vaultMigrations, ...fileMigrations])
    const clock = testClock()
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
    const files = createFiles({ database, vault, clock })
    const area = bindRoutes({
      name: 'films',
      routes: films,
      handlers: {
        watch: async ({ params }) => {
          const body = await files.open('ann', params.id)
          if (!body) throw fail('folder_not_found')
          return { body, mediaType: 'video/mp4', fileName: 'film.mp4', disposition: 'inline' as const }
        },
      },
    })
    const sample = await startSample({ areas: [area] })
    onTestFinished(() => sample.stop(0))
    const digest = createHash('sha256')
    for await (const piece of filmInPieces()) digest.update(piece)

    const written = watchBuffers()
    const { id, size } = await files.saveStream('ann', filmInPieces(), { maxBytes: filmBytes })
    expect(size).toBe(filmBytes)
    expect(written()).toBeLessThan(8 * mebibyte)

    const read = watchBuffers()
    const played = createHash('sha256')
    // As players do: to the end, given up where somebody leaps, and gone on with from there.
    let at = 0
    for (const until of [70 * mebibyte, 140 * mebibyte, filmBytes]) {
      const headers = { range: `bytes=${at}-` }
      const answer = await sample.ann.raw(`/api/films/${id}`, { headers })
      expect(answer.status).toBe(206)
      for await (const piece of answer.body ?? []) {
        const wanted = piece.subarray(0, until - at)
        played.update(wanted)
        at += wanted.byteLength
        if (at === until) break
      }
    }
    expect(at).toBe(filmBytes)
    expect(played.digest('hex')).toBe(digest.digest('hex'))
    expect(read()).toBeLessThan(8 * mebibyte)

    await expect(files.saveStream('ann', filmInPieces(), { maxBytes: filmBytes - 1 })).rejects.toMatchObject({
      code: 'too_large',
    })
    expect(await files.size('ann')).toBe(filmBytes)
  })
})
