/** What signing in costs while many do, and what an answer that is being written meanwhile notices of it. */
import { type Lateness, makeBed, pause } from '../bed.ts'
import { spread, stream } from '../load.ts'

/** Fifty tokens a second for longer than is measured. */
const lasting = 'long-5000-drip-20:bench'
const password = 'a long enough password'
const seconds = 20

export interface SignInFigures {
  readonly alone: { readonly p50: number; readonly p99: number }
  /** Fifty people who sign in again and again. */
  readonly crowded: { readonly p50: number; readonly p99: number; readonly perSecond: number }
  /** Times between two tokens of a chat, in ms. */
  readonly gaps: Record<'quiet' | 'crowded', { readonly p50: number; readonly p99: number }>
  readonly lateness: Lateness
}

export async function measureSignIn(people = 50): Promise<SignInFigures> {
  const bed = await makeBed({ accounts: people + 1, models: [lasting] })
  try {
    const signIn = async (n: number): Promise<number> => {
      const started = performance.now()
      await bed.call('', 'POST', '/api/auth/login', { username: `person${n}`, password })
      return performance.now() - started
    }
    const alone: number[] = []
    for (let n = 0; n < 40; n += 1) alone.push(await signIn(1 + (n % people)))

    const id = await bed.chat(bed.tokens[0] ?? '', lasting)
    const stop = new AbortController()
    const heard: number[] = []
    const talking = stream({
      url: `${bed.url}/api/chat/sessions/${id}/generate/stream`,
      token: bed.tokens[0] ?? '',
      body: { message: 'Write.' },
      mark: 'word',
      heard: (frames) => void (frames > 0 && heard.push(performance.now())),
      signal: stop.signal,
    })
    await pause(1000)
    const gaps = async (work: () => Promise<void>) => {
      const from = heard.length
      await work()
      return spread(heard.slice(from).map((time, at) => time - (heard[from + at - 1] ?? time)))
    }
    const quiet = await gaps(() => pause((seconds / 4) * 1000))
    await bed.lateness()
    const times: number[] = []
    const crowded = await gaps(async () => {
      const until = performance.now() + seconds * 1000
      const person = async (n: number): Promise<void> => {
        while (performance.now() < until) times.push(await signIn(n))
      }
      await Promise.all(Array.from({ length: people }, (_, n) => person(n + 1)))
    })
    const lateness = await bed.lateness()
    stop.abort()
    await talking
    return {
      alone: spread(alone),
      crowded: { ...spread(times), perSecond: times.length / seconds },
      gaps: { quiet, crowded },
      lateness,
    }
  } finally {
    await bed.close()
  }
}
