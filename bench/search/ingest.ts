/** What it costs to take documents in: reading each kind, a long PDF to its first hit, and many files beside chats. */
import { readFile } from '../../server/src/platform/formats/index.ts'
import { type Bed, makeBed, memory, pause } from '../bed.ts'
import { spread, stream } from '../load.ts'
import { makePdf, makeSamples } from './samples.ts'
import { createSource } from './texts.ts'

export interface FormatFigures {
  readonly name: string
  readonly bytes: number
  readonly characters: number
  readonly seconds: number
}

/** Reading alone, in the process that does it, with its start. */
export async function measureFormats(): Promise<FormatFigures[]> {
  const figures: FormatFigures[] = []
  for (const { name, bytes } of await makeSamples()) {
    const began = performance.now()
    const result = await readFile({ name, bytes, mediaType: '' }, { timeoutMs: 120_000 })
    if ('failure' in result) throw new Error(`${name}: ${result.failure}`)
    const seconds = (performance.now() - began) / 1000
    figures.push({ name, bytes: bytes.length, characters: result.extract.text.length, seconds })
  }
  return figures
}

export interface IngestFigures {
  readonly pdfPages: number
  /** From the upload to a hit by a word of the last page. */
  readonly pdfSeconds: number
  readonly files: number
  readonly filesPerSecond: number
  /** Resident, before the first file and after each quarter. */
  readonly memory: readonly number[]
  /** How late the event loop was, and how soon streams of others began, meanwhile. */
  readonly lateP99: number
  readonly firstToken: { readonly p50: number; readonly p99: number }
}

const model = 'long-50-drip-20:bench'
const pdfPages = 300

export async function measureHarness(files: number): Promise<IngestFigures> {
  const bed = await makeBed({ accounts: 6, models: [model] })
  try {
    const [token = '', other = '', ...readers] = bed.tokens
    const pdf = await makePdf(pdfPages)
    const began = performance.now()
    await upload(bed, token, 'long.pdf', pdf)
    await found(bed, token, `pageword${pdfPages - 1}`)
    const pdfSeconds = (performance.now() - began) / 1000

    const sizes = [memory(bed.pid)]
    await bed.lateness()
    let over = false
    const firsts = Promise.all(readers.map((reader) => streams(bed, reader, () => over)))
    const source = createSource(41)
    const started = performance.now()
    for (let quarter = 1; quarter <= 4; quarter++) {
      const last = Math.floor((files * quarter) / 4)
      for (let at = Math.floor((files * (quarter - 1)) / 4); at < last; at += 8) {
        const some = Array.from({ length: Math.min(8, last - at) }, (_, i) => at + i)
        const text = (n: number) => `fileword${n} ${Array.from({ length: 5 }, source.text).join('.\n\n')}`
        await Promise.all(some.map((n) => upload(bed, other, `file ${n}.txt`, Buffer.from(text(n)))))
      }
      await found(bed, other, `fileword${last - 1}`)
      sizes.push(memory(bed.pid))
    }
    const seconds = (performance.now() - started) / 1000
    over = true
    const { p99 } = await bed.lateness()
    const firstToken = spread((await firsts).flat())
    return {
      pdfPages,
      pdfSeconds,
      files,
      firstToken,
      filesPerSecond: files / seconds,
      memory: sizes,
      lateP99: p99,
    }
  } finally {
    await bed.close()
  }
}

/** One answer after another, as long as it lasts; gives the times to each first token. */
async function streams(bed: Bed, token: string, over: () => boolean): Promise<number[]> {
  const url = `${bed.url}/api/chat/sessions/${await bed.chat(token, model)}/generate/stream`
  const times: number[] = []
  while (!over()) {
    const { firstMs } = await stream({ url, token, body: { message: 'Say some words.' }, mark: 'word' })
    times.push(firstMs)
  }
  return times
}

async function upload(bed: Bed, token: string, name: string, bytes: Uint8Array): Promise<void> {
  const body = new FormData()
  body.set('document', new File([new Uint8Array(bytes)], name))
  const answer = await fetch(`${bed.url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  if (answer.status !== 202) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
}

async function found(bed: Bed, token: string, query: string): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    const { items } = await bed.call<{ items: unknown[] }>(token, 'POST', '/api/documents/search', { query })
    if (items.length > 0) return
    await pause(50)
  }
  throw new Error('a document was not found in five minutes')
}
