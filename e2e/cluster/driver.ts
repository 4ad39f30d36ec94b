/** People at a cluster who write down what was acknowledged to them, and how long they waited. */
import { setTimeout as sleep } from 'node:timers/promises'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import type { Answer, Call, Route } from '@atrium/contract/route'
import { type Client, ClientProblem } from '../../server/src/testing/client.ts'
import { formOf } from '../../server/src/testing/documents.ts'
import { servedBy } from './round-robin.ts'

export interface AskedQuestion {
  readonly sessionId: string
  readonly question: string
  readonly answerId: string
  /** The place of the process that wrote the answer, and when it began to, in milliseconds of `performance.now()`. */
  readonly member: number
  readonly askedAt: number
  /** What its follower saw, over however many connections. */
  readonly seen: number[]
  text: string
  end: string | null
}

export interface Notes {
  /** Titles of chats that were acknowledged, with their ids. */
  readonly chats: Map<string, string>
  /** Names of documents that were acknowledged, with their ids. */
  readonly documents: Map<string, string>
  /** Titles and names of which nobody knows whether they were saved. */
  readonly unknown: Set<string>
  readonly asked: AskedQuestion[]
  /** Requests that took longest, in milliseconds. */
  slowest: { ms: number; what: string }
  readonly faults: string[]
}

export interface Driver {
  readonly notes: Notes
  /** How many answers have ended that were followed from their beginning. */
  readonly ended: () => number
  /** Ends the work, with what is being followed. */
  stop(): Promise<void>
}

/** Whoever waits so long was forgotten. */
const patienceMs = 60_000

/** `people` work side by side; `model` is what they ask. */
export const startDriver = (client: Client, people: number, model: string): Driver => {
  const notes: Notes = {
    chats: new Map(),
    documents: new Map(),
    unknown: new Set(),
    asked: [],
    slowest: { ms: 0, what: '' },
    faults: [],
  }
  let stopping = false

  const timed = async <R extends Route>(
    route: R,
    call: Call<R>,
  ): Promise<{ answer: Answer<R>; member: number } | null> => {
    const began = performance.now()
    const what = `${route.method} ${route.path}`
    try {
      const response = await client.answer(route, call, { signal: AbortSignal.timeout(patienceMs) })
      const text = await response.text()
      const member = Number(response.headers.get(servedBy))
      if (response.ok) return { answer: JSON.parse(text) as Answer<R>, member }
      if (response.status < 500) notes.faults.push(`${what} was answered with ${response.status}: ${text}`)
      return null
    } catch {
      // The connection broke with its process; or nothing came, which the time tells.
      return null
    } finally {
      const ms = performance.now() - began
      if (ms > notes.slowest.ms) notes.slowest = { ms, what }
    }
  }

  const follow = async (asked: AskedQuestion): Promise<void> => {
    while (asked.end === null && !stopping) {
      const params = { sessionId: asked.sessionId }
      try {
        const frames = client.follow(chatRoutes.events, { params, query: {} }, { after: asked.seen.at(-1) ?? 0 })
        for await (const { seq, event } of frames) {
          if (seq > 0) asked.seen.push(seq)
          if (event.type === 'text') asked.text += event.data.delta
          if (event.type === 'done') asked.end = 'done'
          if (event.type === 'error' && seq > 0) asked.end = event.data.code
        }
      } catch (error) {
        if (error instanceof ClientProblem && error.status < 500 && error.status !== 429)
          notes.faults.push(`a follower was answered with ${error.message}`)
      }
      if (asked.end === null) await sleep(100)
    }
  }

  let number = 0
  const work = async (): Promise<void> => {
    while (!stopping) {
      const title = `chat ${++number}`
      notes.unknown.add(title)
      const selection = { providerType: 'local', providerId: null, model } as const
      const made = await timed(chatRoutes.create, { body: { title, selection } })
      if (made) {
        notes.unknown.delete(title)
        notes.chats.set(title, made.answer.id)
        await ask(made.answer.id, `question of ${title}`)
        if (number % 4 === 0) await send(`notes ${title}.txt`)
      } else await sleep(100)
    }
  }
  const send = async (name: string): Promise<void> => {
    notes.unknown.add(name)
    const sent = await timed(documentsRoutes.upload, { file: await formOf(`What stands in ${name}.`, { name }) })
    if (!sent) return
    notes.unknown.delete(name)
    notes.documents.set(name, sent.answer.id)
  }
  const ask = async (sessionId: string, question: string): Promise<void> => {
    const askedAt = performance.now()
    const begun = await timed(chatRoutes.startGeneration, { params: { sessionId }, body: { message: question } })
    if (!begun) return
    const { answer, member } = begun
    const asked = {
      sessionId,
      question,
      answerId: answer.assistantMessage.id,
      member,
      askedAt,
      seen: [],
      text: '',
      end: null,
    }
    notes.asked.push(asked)
    await follow(asked)
  }

  const all = Array.from({ length: people }, work)
  return {
    notes,
    ended: () => notes.asked.filter(({ end }) => end !== null).length,
    async stop() {
      stopping = true
      await Promise.all(all)
    },
  }
}
