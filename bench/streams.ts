/** What Atrium adds to the first token, how many tokens it carries, and what an open stream costs. */
import { type Bed, makeBed, memory, pause, processor } from './bed.ts'
import { type Streamed, spread, stream } from './load.ts'

const paced = 'long-100-drip-20'
const lasting = 'long-500-drip-20'
const hasty = 'long-2000'
const perAccount = 10

export interface StreamFigures {
  readonly first: readonly { streams: number; direct: Spread; through: Spread }[]
  readonly carried: { streams: number; offered: number; direct: number; through: number; cpuShare: number }
  readonly hasty: { direct: number; through: number }
  readonly bytesPerStream: number
}
interface Spread {
  readonly p50: number
  readonly p99: number
}

/** Measures all of it in one run, against one model server. */
export async function measureStreams(most: number): Promise<StreamFigures> {
  const bed = await makeBed({ accounts: Math.ceil(most / perAccount), models: [paced, lasting, hasty] })
  try {
    await many(bed, 20, paced, 'through')
    await many(bed, 20, paced, 'direct')
    const first = []
    for (const streams of [1, 200]) {
      // One stream alone is asked thirty times; two hundred three times.
      const rounds = streams === 1 ? 30 : 3
      const direct: number[] = []
      const through: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        direct.push(...(await many(bed, streams, paced, 'direct')).map((one) => one.firstMs))
        through.push(...(await many(bed, streams, paced, 'through')).map((one) => one.firstMs))
      }
      first.push({ streams, direct: spread(direct), through: spread(through) })
    }
    const before = memory(bed.pid)
    const direct = tokensPerSecond(await many(bed, most, lasting, 'direct'), 500)
    const busyBefore = processor(bed.pid)
    const began = performance.now()
    const running = many(bed, most, lasting, 'through')
    await pause(8000)
    const bytesPerStream = (memory(bed.pid) - before) / most
    const ended = await running
    const cpuShare = (processor(bed.pid) - busyBefore) / (performance.now() - began)
    const through = tokensPerSecond(ended, 500)
    return {
      first,
      carried: { streams: most, offered: most * 50, direct, through, cpuShare },
      hasty: {
        direct: tokensPerSecond(await many(bed, 8, hasty, 'direct'), 2000),
        through: tokensPerSecond(await many(bed, 8, hasty, 'through'), 2000),
      },
      bytesPerStream,
    }
  } finally {
    await bed.close()
  }
}

async function many(bed: Bed, streams: number, model: string, way: 'direct' | 'through'): Promise<Streamed[]> {
  const message = 'Say some words.'
  if (way === 'direct') {
    const body = { model, stream: true, messages: [{ role: 'user', content: message }] }
    return await Promise.all(
      Array.from({ length: streams }, () => stream({ url: `${bed.provider}/api/chat`, body, mark: '"content":"word' })),
    )
  }
  const chats: { token: string; id: string }[] = []
  for (let n = 0; n < streams; n += 1) {
    const token = bed.tokens[n % bed.tokens.length] ?? ''
    chats.push({ token, id: await bed.chat(token, model) })
  }
  return await Promise.all(
    chats.map(({ token, id }) =>
      stream({
        url: `${bed.url}/api/chat/sessions/${id}/generate/stream`,
        token,
        body: { message },
        mark: 'event: text',
      }),
    ),
  )
}

/** All tokens of all streams over the time of the slowest. */
function tokensPerSecond(ended: readonly Streamed[], tokensEach: number): number {
  const slowest = Math.max(...ended.map((one) => one.totalMs))
  return (ended.length * tokensEach * 1000) / slowest
}
