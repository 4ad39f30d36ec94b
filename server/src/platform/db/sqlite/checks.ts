/** What can be wrong with a database file. */
import { type DiagnosticCheck, reportFailure, reportPass } from '../../diagnostics/checks.ts'

/** A larger file is not read through while people wait for the thread that reads. */
const largestBytes = 128 * 1024 * 1024

/** `read` runs one statement beside the writer; `size` gives bytes. */
export const sqliteChecks = (
  file: string,
  size: () => Promise<number>,
  read: (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): DiagnosticCheck[] => [
  {
    id: 'database',
    daily: true,
    async run() {
      const [row] = await read('select sqlite_version() as version')
      const bytes = await size()
      const about = `SQLite ${String(row?.['version'])}, ${Math.round(bytes / 1e6)} MB in ${file}`
      if (bytes > largestBytes) return reportPass(`${about}. Too large to check while the server works.`)
      const problems = (await read('pragma quick_check(5)')).map((found) => String(Object.values(found)[0]))
      if (problems.length === 1 && problems[0] === 'ok') return reportPass(`${about}, without damage.`)
      return reportFailure(`${about}, is damaged: ${problems.join('; ')}. Restore your last backup.`)
    },
  },
]
