/** A message between processes and back: through the database, as open pages and other processes are told. */
import { randomUUID } from 'node:crypto'
import { type DiagnosticCheck, reportFailure, reportPass } from '../../../platform/diagnostics/checks.ts'
import type { Database } from '../../../platform/db/types.ts'

const channel = 'doctor'
const waitMs = 5000

export const messageCheck = (database: Pick<Database, 'listen' | 'notify'>): DiagnosticCheck => ({
  id: 'messages',
  watched: true,
  ofProcess: true,
  async run() {
    const id = randomUUID()
    const heard = Promise.withResolvers<boolean>()
    const unlisten = database.listen(channel, (payload) => payload === id && heard.resolve(true))
    const timer = setTimeout(() => heard.resolve(false), waitMs)
    try {
      const began = performance.now()
      await database.notify(channel, id)
      if (await heard.promise)
        return reportPass(`A message between processes arrived after ${Math.round(performance.now() - began)} ms.`)
      return reportFailure(
        'A message between processes didn’t arrive within 5 s. A pooler such as PgBouncer in transaction mode doesn’t support LISTEN. Connect to PostgreSQL directly.',
      )
    } finally {
      clearTimeout(timer)
      unlisten()
    }
  },
})
