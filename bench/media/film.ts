/** One run in a process of its own, whose memory is that of the film alone: the address of a PostgreSQL, or none for SQLite. */
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { migrate, openDatabase } from '../../server/src/platform/db/index.ts'
import { createFiles } from '../../server/src/platform/files/files.ts'
import { fileMigrations } from '../../server/src/platform/files/tables.ts'
import { systemClock } from '../../server/src/platform/system-clock.ts'
import { vaultMigrations } from '../../server/src/platform/vault/tables.ts'
import { openVault } from '../../server/src/platform/vault/vault.ts'
import { type FilmFigures, filmBytes } from './stream.ts'

const looks = 50

process.send?.(await measure(process.argv[2] ?? null))
process.disconnect()

async function measure(url: string | null): Promise<FilmFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const log = { warn: () => undefined, error: () => undefined }
  const database = await openDatabase(
    url ? { url, log } : { file: join(folder, 'films.db'), key: randomBytes(32), log },
  )
  try {
    const place = { version: '0', snapshotFolder: folder, now: () => 0 }
    await migrate(database, [...vaultMigrations, ...fileMigrations], place)
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock: systemClock })
    const files = createFiles({ database, vault, clock: systemClock })

    const written = await watch(() => files.saveStream('ada', film(), { maxBytes: filmBytes }))
    const file = await files.open('ada', written.result.id)
    if (!file) throw new Error('The film is gone.')
    const read = await watch(async () => {
      let bytes = 0
      for await (const piece of file.lend()) bytes += piece.byteLength
      if (bytes !== filmBytes) throw new Error('The film is not whole.')
    })
    const plain = join(folder, 'plain.bin')
    await pipeline(film(), createWriteStream(plain))
    const bare = await watch(async () => {
      let bytes = 0
      for await (const piece of createReadStream(plain, { highWaterMark: 256 * 1024 }))
        bytes += (piece as Buffer).length
      if (bytes !== filmBytes) throw new Error('The plain file is not whole.')
    })
    const firsts: number[] = []
    for (let look = 0; look < looks; look++) {
      const start = Math.floor((filmBytes * look) / looks)
      const began = performance.now()
      const reading = file.read(start)[Symbol.asyncIterator]()
      await reading.next()
      firsts.push(performance.now() - began)
      await reading.return?.()
    }
    firsts.sort((a, b) => a - b)
    return {
      write: { ms: written.ms, bytes: written.bytes },
      read: { ms: read.ms, bytes: read.bytes },
      bare: { ms: bare.ms, bytes: bare.bytes },
      first: { median: firsts[looks / 2] ?? 0, longest: firsts.at(-1) ?? 0 },
    }
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Its bytes are of no matter to the storage, which seals whatever comes. */
async function* film(): AsyncIterable<Uint8Array> {
  const piece = randomBytes(64 * 1024)
  for (let given = 0; given < filmBytes; given += piece.byteLength) yield piece
}

/** How long it takes, and how much larger the process is at its largest, whatever holds the memory. */
async function watch<T>(run: () => Promise<T>): Promise<{ result: T; ms: number; bytes: number }> {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  const began = performance.now()
  try {
    return { result: await run(), ms: performance.now() - began, bytes: most - before }
  } finally {
    clearInterval(timer)
  }
}
