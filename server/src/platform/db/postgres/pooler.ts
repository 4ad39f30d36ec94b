/**
 * Whether two sessions on PostgreSQL are two sessions there, too. A pooler that hands its connections out for single
 * transactions (PgBouncer, `pool_mode = transaction`) gives them to whoever is next: then LISTEN, advisory locks of a
 * session and settings are lost or somebody else's.
 */
import { randomUUID } from 'node:crypto'
import { type CheckOutcome, type DiagnosticCheck, reportFailure, reportPass } from '../../diagnostics/checks.ts'

export interface Session {
  /** Runs one statement and gives its first row. */
  ask(statement: string): Promise<Readonly<Record<string, string | null>>>
}

/** `withSessions` lends two sessions for as long as the work takes. */
export const poolerCheck = (
  withSessions: <T>(work: (first: Session, second: Session) => Promise<T>) => Promise<T>,
): DiagnosticCheck => ({
  id: 'pooler',
  run: async () => judgePooler(await withSessions(look)),
})

const look = async (first: Session, second: Session) => {
  const mark = randomUUID()
  const set = await first.ask(`select pg_backend_pid()::text as pid, set_config('atrium.probe', '${mark}', false)`)
  // While the second is in a transaction, nobody else can be given the connection that it has.
  await second.ask('begin')
  try {
    const other = await second.ask('select pg_backend_pid()::text as pid')
    const again = await first.ask(`select pg_backend_pid()::text as pid, current_setting('atrium.probe', true) as mark`)
    return {
      isShared: set['pid'] === other['pid'],
      isSame: set['pid'] === again['pid'],
      isKept: again['mark'] === mark,
    }
  } finally {
    await second.ask('rollback')
    await first.ask(`select set_config('atrium.probe', '', false)`)
  }
}

/** `isShared`: two sessions had one connection; `isSame`: one session kept its own; `isKept`: with what it had set. */
export const judgePooler = (seen: { isShared: boolean; isSame: boolean; isKept: boolean }): CheckOutcome =>
  !seen.isShared && seen.isSame && seen.isKept
    ? reportPass('PostgreSQL sessions keep their connection: no pooler shares it between transactions.')
    : reportFailure(
        'A pooler shares connections after each transaction, so processes lose messages and can’t see each other. Connect to PostgreSQL directly, or use session pooling.',
        [{ program: 'shell', lines: '# pgbouncer.ini\npool_mode = session' }],
      )
