import { chatRoutes } from '@atrium/contract/chat'
import { toolsRoutes } from '@atrium/contract/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { collect, local, textOf, until } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { type DatabaseWork, type Message, statementsOf, watchDatabaseWork } from '../../testing/database-work.ts'

let provider: Provider
let app: TestApp
let ann: Client
let work: DatabaseWork
beforeAll(async () => {
  provider = await startProvider()
  provider.control({ models: ['long-100', 'echo'] })
  app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
  ann = await app.signUpAdmin()
  work = watchDatabaseWork()
})
afterAll(async () => {
  work.stop()
  await app.close()
  await provider.close()
})

/** What looks after everybody from time to time; and commits of the event log alone, whose number is a matter of time. */
const isBackground = (message: Message): boolean => {
  const text = statementsOf(message)
  return /^read .*("jobs"|from "generations" where "state")/.test(text) || /^begin insert into "event_\w+"/.test(text)
}
const isIndex = (message: Message): boolean => /search_|indexed_version/.test(statementsOf(message))
const countCommands = (messages: readonly Message[]): number => messages.reduce((sum, { length }) => sum + length, 0)
const countTransactions = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.filter(({ 1: verb }) => verb === 'begin').length, 0)

/** One of them calls no tools; the other is told of those that there are, or of ten, and calls none. */
test.each([
  { model: 'long-100', named: 0, ends: /word100 $/, reads: 12, commands: 41 },
  { model: 'echo', named: 0, ends: /You said/, reads: 19, commands: 49 },
  { model: 'echo', named: 10, ends: /You said/, reads: 19, commands: 49 },
])(
  'a plain question to $model with $named named tools costs the database threads of SQLite no more than its budget',
  async (budget) => {
    const { tools: all } = await ann.call(toolsRoutes.catalog, {})
    const tools =
      budget.named === 0 ? undefined : { choice: 'auto' as const, ids: all.slice(0, budget.named).map(({ id }) => id) }
    const { id } = await ann.call(chatRoutes.create, { body: { selection: local(budget.model), title: 'Kept' } })
    const params = { sessionId: id }
    const ask = async (message: string): Promise<void> => {
      const frames = await collect(ann.follow(chatRoutes.generateStream, { params, body: { message, tools } }))
      expect(textOf(frames)).toMatch(budget.ends)
      // Usage and index are written behind the answer.
      const isWritten = (pattern: RegExp) => work.messages.some((each) => pattern.test(statementsOf(each)))
      await until(() => isWritten(/into "usage_events"/) && isWritten(/into search_words/))
    }
    // The first ones find caches empty, and the model not used before.
    await ask('First?')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    work.clear()
    await ask('Second?')

    const messages = work.messages.filter((message) => !isBackground(message))
    const answer = messages.filter((message) => !isIndex(message))
    const index = messages.filter(isIndex)
    const listed = messages.map(statementsOf).join('\n\n')
    expect(answer.length, listed).toBeLessThanOrEqual(budget.reads)
    expect(countTransactions(answer), listed).toBeLessThanOrEqual(3)
    expect(countCommands(answer), listed).toBeLessThanOrEqual(budget.commands)
    // What is asked and answered is taken in together, or apart where the answer took long.
    const batches = countTransactions(index)
    expect(index.length, listed).toBeLessThanOrEqual(7 * batches)
    expect(countCommands(index), listed).toBeLessThanOrEqual(15 * batches)
  },
)
