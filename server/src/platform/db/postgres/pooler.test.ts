import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostgresDatabase, dropPostgresDatabase } from '../../../testing/databases.ts'
import { type Session, poolerCheck } from './pooler.ts'

const signal = new AbortController().signal
let url: string
const clients: pg.Client[] = []
beforeAll(async () => {
  url = await createPostgresDatabase()
  for (let n = 0; n < 2; n++) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    clients.push(client)
  }
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await dropPostgresDatabase(url)
})

const askOn = async (client: pg.Client | undefined, statement: string) =>
  (await client?.query<Record<string, string>>(statement))?.rows[0] ?? {}

/** A session behind a pooler in transaction mode: the connection that was free last is given for each transaction. */
const pooled = (free: pg.Client[]): (() => Session) => {
  return () => {
    let held: pg.Client | null = null
    return {
      async ask(statement) {
        const client = held ?? free.pop()
        const row = await askOn(client, statement)
        held = statement === 'begin' ? (client ?? null) : statement === 'rollback' ? null : held
        if (!held && client) free.push(client)
        return row
      },
    }
  }
}

test('two sessions that keep their connections are well', async () => {
  const sessions = clients.map((client): Session => ({ ask: (statement) => askOn(client, statement) }))
  const [first, second] = sessions as [Session, Session]
  expect(await poolerCheck((work) => work(first, second)).run(signal)).toMatchObject({ status: 'pass' })
})

test('a pooler that gives connections to others after each transaction is told', async () => {
  const open = pooled([...clients])
  const check = poolerCheck((work) => work(open(), open()))
  expect(await check.run(signal)).toMatchObject({
    status: 'fail',
    fixes: [{ lines: expect.stringContaining('session') }],
  })
})
