/** What was acknowledged to people is compared with what is there. */
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { expect } from 'vitest'
import { collect, textOf } from '../../server/src/testing/chats.ts'
import type { Cluster } from './cluster.ts'
import type { Notes } from './driver.ts'
import { type Absence, patience } from './faults.ts'

const requestMs = 10_000

/** Nobody was refused without a reason, and nobody waited for ten seconds. */
export const checkRequests = ({ faults, slowest }: Notes): void => {
  expect(faults).toEqual([])
  expect(slowest.ms, slowest.what).toBeLessThan(requestMs)
}

/** Every chat and document that was acknowledged is there, once, and each document was read by one job. */
export const checkWrites = async ({ admin }: Cluster, { chats, documents, unknown }: Notes): Promise<void> => {
  const jobsIn = async (state: 'queued' | 'running' | 'failed'): Promise<number> =>
    (await admin.call(durableJobsRoutes.list, { query: { state, kind: 'documents.ingest', limit: 100 } })).items.length
  await expect.poll(async () => (await jobsIn('queued')) + (await jobsIn('running')), patience).toBe(0)
  expect(await jobsIn('failed')).toBe(0)
  const titles = await readAll((cursor) => admin.call(chatRoutes.list, { query: { limit: 100, cursor } }))
  const found = await readAll((cursor) => admin.call(documentsRoutes.list, { query: { limit: 100, cursor } }))
  const names = [...titles.map(({ title }) => title ?? ''), ...found.map(({ filename }) => filename)]
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining([...chats.keys(), ...documents.keys()]))
  for (const name of names) expect(chats.has(name) || documents.has(name) || unknown.has(name), name).toBe(true)
  for (const { filename, processingStatus, chunks } of found)
    expect({ filename, processingStatus, chunks }).toEqual({ filename, processingStatus: 'completed', chunks: 1 })
}

/**
 * Every answer is there once and whole, unless its process was absent (`absences`), and was followed without a gap, over
 * whichever processes. `words`: how many it has.
 */
export const checkAnswers = async (
  { admin }: Cluster,
  { asked }: Notes,
  absences: readonly Absence[],
  words: number,
): Promise<void> => {
  const whole = asked.find(({ end }) => end === 'done')?.text ?? ''
  expect(whole).toMatch(new RegExp(`word${words} $`))
  const ended = asked.filter(({ end }) => end !== null)
  expect(ended.filter(({ end }) => end === 'done').length).toBeGreaterThan(0)
  for (const one of ended) {
    const params = { sessionId: one.sessionId }
    const { messages } = await admin.call(chatRoutes.read, { params, query: {} })
    const answer = messages.items.find(({ id }) => id === one.answerId)
    expect(messages.items.filter(({ content }) => content === one.question)).toHaveLength(1)
    const isWhole = answer?.status === 'complete'
    // Whoever ends an answer of a dead process leaves room for the events that nobody but its followers has seen.
    const numbers = isWhole ? one.seen : one.seen.slice(0, -1)
    expect(numbers, one.question).toEqual(numbers.map((_, index) => index + 1))
    if (isWhole) {
      expect([one.text, answer.content]).toEqual([whole, whole])
      continue
    }
    expect(answer?.status).toBe('interrupted')
    expect(one.seen.at(-1)).toBeGreaterThan(numbers.length)
    // What was seen in the last moments may not have reached the disk.
    expect(one.text.startsWith(answer?.content ?? '?')).toBe(true)
    const wasAbsent = absences.some(({ member, at }) => member === one.member && at > one.askedAt)
    expect(wasAbsent, `the process that wrote the answer to “${one.question}” was absent`).toBe(true)
  }
}

/** The last answers are followed from the first event on at every process. */
export const checkReplays = async ({ members }: Cluster, { asked }: Notes, count: number): Promise<void> => {
  for (const one of asked.filter(({ end }) => end === 'done').slice(-count)) {
    for (const { admin, url } of members) {
      const params = { sessionId: one.sessionId }
      const frames = await collect(admin.follow(chatRoutes.events, { params, query: {} }))
      expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index + 1))
      expect(textOf(frames), url.href).toBe(one.text)
    }
  }
}

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** All of a list, page by page. */
const readAll = async <T>(page: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> => {
  const items: T[] = []
  for (let cursor: string | undefined; ; ) {
    const { items: more, nextCursor } = await page(cursor)
    items.push(...more)
    if (nextCursor === null) return items
    cursor = nextCursor
  }
}
