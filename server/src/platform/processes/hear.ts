/** What the processes of an instance say of themselves, for a command beside them that is none of them. */
import { sql } from 'kysely'
import type { Database } from '../db/types.ts'
import { processChannel, type ProcessReport, readReport } from './index.ts'

/**
 * Listens until every process on PostgreSQL was heard, `withinMs` at most. `silent` counts those that were not heard:
 * they are of an older version, or do not answer.
 */
export const hearProcesses = async (
  database: Database,
  withinMs: number,
): Promise<{ reports: ProcessReport[]; silent: number }> => {
  const reports = new Map<string, ProcessReport>()
  let wake = (): void => undefined
  const stop = database.listen(processChannel, (message) => {
    const { gone, report } = readReport(message)
    if (gone !== null) reports.delete(gone)
    if (report) reports.set(report.id, report)
    wake()
  })
  const end = performance.now() + withinMs
  try {
    for (;;) {
      const silent = (await countListeners(database)) - 1 - reports.size
      if (silent <= 0 || performance.now() >= end)
        return { reports: [...reports.values()], silent: Math.max(0, silent) }
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, Math.min(500, Math.max(0, end - performance.now())))
      })
    }
  } finally {
    stop()
  }
}

/** Every process has one such connection, and so have we. */
const countListeners = async (database: Database): Promise<number> => {
  const { rows } = await sql<{ processes: number }>`
    select count(*) as processes from pg_stat_activity
    where datname = current_database() and application_name = 'atrium-listener'`.execute(database.tables())
  return Number(rows[0]?.processes ?? 1)
}
