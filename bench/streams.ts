/** What Atrium adds to the first token, how many tokens it carries, and what an open stream costs. */
import { type Bed, type Lateness, makeBed, memory, pause, processor } from './bed.ts'
import { type Streamed, spread, stream } from './load.ts'

/** Over soon, for questions one after another. */
const brief = 'long-10-drip-20:bench'
/** A hundred tokens in two seconds. */
const paced = 'long-100-drip-20:bench'
/** Fifty tokens a second for longer than is measured. */
const lasting = 'long-5000-drip-20:bench'
const hasty = 'long-2000:bench'
/** A session has six streams open at most; one more would end the oldest. */
const perAccount = 6

type Way = 'direct' | 'through'

export interface Spread {
  readonly p50: number
  readonly p99: number
}
export interface Both<T> {
  readonly direct: T
  readonly through: T
}

export interface StreamFigures {
  /** One question after another. */
  readonly alone: Both<Spread>
  /** A hundred questions a second, evenly, so that two hundred answers are being written all the time. */
  readonly steady: Both<Spread> & { readonly lateness: Lateness }
  /** Two hundred questions in one instant. */
  readonly burst: Both<Spread>
  readonly carried: {
    readonly streams: number
    /** How many of them had given a token within 20 s, on the way where it was fewer. */
    readonly begun: number
    readonly offered: number
    /** Tokens per second. */
    readonly rate: Both<number>
    readonly lateness: Lateness
    readonly cpuShare: number
    readonly bytesPerStream: number
  }
  readonly hasty: Both<number>
}

/** Measures all of it in one run, against one model server. `tell` hears what comes next. */
export async function measureStreams(most: number, tell = (_words: string): void => undefined): Promise<StreamFigures> {
  const bed = await makeBed({ accounts: Math.ceil(most / perAccount), models: [brief, paced, lasting, hasty] })
  try {
    const chats = await makeChats(bed, Math.max(most, 600), paced)
    const ask = (way: Way, n: number) => question(bed, way, paced, chats[n % chats.length])
    await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n % 2 ? 'direct' : 'through', n).run))

    tell('One question after another …')
    const single = await makeChats(bed, 1, brief)
    const alone = await both(async (way) => {
      const figures: number[] = []
      for (let n = 0; n < 30; n += 1) figures.push((await question(bed, way, brief, single[0]).run).firstMs)
      return spread(figures)
    })
    tell('Two hundred at a time …')
    const direct = await steadily((n) => ask('direct', n).run)
    await bed.lateness()
    const through = await steadily((n) => ask('through', n).run)
    const steady = { direct, through, lateness: await bed.lateness() }
    const burst = await both(async (way) => {
      const figures: number[] = []
      for (let round = 0; round < 3; round += 1) {
        const all = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(way, n).run))
        figures.push(...all.map((one) => one.firstMs))
      }
      return spread(figures)
    })
    tell(`${most} at a time …`)
    const carried = await carry(bed, most)
    const fast = await makeChats(bed, 8, hasty)
    return {
      alone,
      steady,
      burst,
      carried,
      hasty: await both(async (way) =>
        tokensPerSecond(await Promise.all(fast.map((chat) => question(bed, way, hasty, chat).run)), 2000),
      ),
    }
  } finally {
    await bed.close()
  }
}

/** First tokens of streams that begin 10 ms apart, for six seconds; those of the first two only make load. */
export async function steadily(begin: (n: number) => Promise<Streamed>): Promise<Spread> {
  const started = performance.now()
  const all: Promise<Streamed>[] = []
  for (let n = 0; n < 600; n += 1) {
    const early = started + n * 10 - performance.now()
    if (early > 0) await pause(early)
    const one = begin(n)
    // A failure is told where all are awaited, not before.
    one.catch(() => undefined)
    all.push(one)
  }
  return spread((await Promise.all(all)).slice(200).map((one) => one.firstMs))
}

/** Opens many streams over some seconds, and counts what comes in a window in which all are open. */
async function carry(bed: Bed, streams: number): Promise<StreamFigures['carried']> {
  const chats = await makeChats(bed, streams, lasting)
  const before = memory(bed.pid)
  let lateness: Lateness = { p50: 0, p99: 0, max: 0 }
  let cpuShare = 0
  let bytesPerStream = 0
  let begun = streams
  const rate = await both(async (way) => {
    let frames = 0
    const open = new Set<number>()
    const enough = new AbortController()
    const running: Promise<unknown>[] = []
    for (let n = 0; n < streams; n += 1) {
      const heard = (more: number): void => {
        frames += more
        if (more > 0) open.add(n)
      }
      const { run } = question(bed, way, lasting, chats[n], { heard, signal: enough.signal })
      run.catch(() => undefined)
      running.push(run)
      if (n % 5 === 4) await pause(25)
    }
    for (let waited = 0; open.size < streams && waited < 20_000; waited += 100) await pause(100)
    begun = Math.min(begun, open.size)
    if (way === 'through') await bed.lateness()
    const busy = processor(bed.pid)
    const [framesBefore, began] = [frames, performance.now()]
    await pause(8000)
    const took = performance.now() - began
    const tokens = frames - framesBefore
    if (way === 'through') {
      lateness = await bed.lateness()
      cpuShare = (processor(bed.pid) - busy) / took
      bytesPerStream = (memory(bed.pid) - before) / streams
    }
    enough.abort()
    await Promise.all(running)
    if (way === 'through') await stopAll(bed, chats)
    return (tokens * 1000) / took
  })
  return { streams, begun, offered: streams * 50, rate, lateness, cpuShare, bytesPerStream }
}

/**
 * Answers go on without their readers; what is measured next should not have to share with them. Some at a time: a
 * thousand at once wait for each other longer than a Stop does.
 */
async function stopAll(bed: Bed, chats: readonly Chat[]): Promise<void> {
  for (let from = 0; from < chats.length; from += 20)
    await Promise.all(
      chats.slice(from, from + 20).map(({ token, id }) => bed.call(token, 'DELETE', `/api/chat/sessions/${id}`)),
    )
}

export interface Chat {
  readonly token: string
  readonly id: string
}

export async function makeChats(bed: Bed, count: number, model: string): Promise<Chat[]> {
  const chats: Chat[] = []
  for (let n = 0; n < count; n += 1) {
    const token = bed.tokens[n % bed.tokens.length] ?? ''
    chats.push({ token, id: await bed.chat(token, model) })
  }
  return chats
}

/** One question, begun: the provider asked as Atrium asks it, or a chat. */
export function question(
  bed: Bed,
  way: Way,
  model: string,
  chat: Chat | undefined,
  more: { heard?: (frames: number) => void; signal?: AbortSignal } = {},
): { run: Promise<Streamed> } {
  const message = 'Say some words.'
  if (way === 'direct') {
    const body = { model, stream: true, messages: [{ role: 'user', content: message }] }
    return { run: stream({ url: `${bed.provider}/api/chat`, body, mark: '"content":"word', ...more }) }
  }
  if (!chat) throw new Error('a question needs a chat')
  const url = `${bed.url}/api/chat/sessions/${chat.id}/generate/stream`
  return { run: stream({ url, token: chat.token, body: { message }, mark: 'word', ...more }) }
}

async function both<T>(measure: (way: Way) => Promise<T>): Promise<Both<T>> {
  return { direct: await measure('direct'), through: await measure('through') }
}

/** All tokens of all streams over the time of the slowest. */
function tokensPerSecond(ended: readonly Streamed[], tokensEach: number): number {
  const slowest = Math.max(...ended.map((one) => one.totalMs))
  return (ended.length * tokensEach * 1000) / slowest
}
