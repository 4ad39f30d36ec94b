/** What can be wrong with a PostgreSQL server that otherwise answers. */
import {
  type CheckOutcome,
  type DiagnosticCheck,
  reportFailure,
  reportPass,
  reportWarning,
} from '../../diagnostics/checks.ts'

const oldest = 14

/** `ask` runs one statement and gives its rows; `poolSize`: connections that this process uses at most. */
export const postgresChecks = (
  ask: (statement: string) => Promise<readonly Readonly<Record<string, string>>[]>,
  poolSize: number,
): DiagnosticCheck[] => {
  const settings = async (...names: string[]): Promise<Readonly<Record<string, string>>> => {
    const rows = await ask(
      `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`).join(', ')})`,
    )
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting ?? '']))
  }
  return [
    {
      id: 'database',
      async run() {
        const found = await settings(
          'server_version',
          'data_checksums',
          'fsync',
          'synchronous_commit',
          'full_page_writes',
        )
        return judgeServer(found)
      },
    },
    {
      id: 'connections',
      watched: true,
      async run() {
        const { max_connections: most } = await settings('max_connections')
        const [row] = await ask(
          `select count(*)::text as all, count(distinct case when application_name = 'atrium-listener' then pid end)::text as processes from pg_stat_activity where datname = current_database()`,
        )
        return judgeConnections(Number(most), Number(row?.['all']), Number(row?.['processes']), poolSize)
      },
    },
    {
      id: 'statement-log',
      async run() {
        const { log_statement: statements } = await settings('log_statement')
        if (statements === 'none' || statements === 'ddl')
          return reportPass(`PostgreSQL doesn’t log data statements (log_statement is ${statements}).`)
        return reportWarning(
          `PostgreSQL logs statements (log_statement is ${statements}): its log grows with every change.`,
          [{ program: 'PostgreSQL', lines: `alter system set log_statement = 'none';\nselect pg_reload_conf();` }],
        )
      },
    },
    {
      id: 'clock',
      watched: true,
      ofProcess: true,
      async run() {
        const began = Date.now()
        const [row] = await ask(`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now`)
        const middle = (began + Date.now()) / 2
        return judgeClock(Number(row?.['now']) - middle)
      },
    },
  ]
}

/** `found`: settings of the server by name. */
export const judgeServer = (found: Readonly<Record<string, string>>): CheckOutcome => {
  const version = found['server_version'] ?? ''
  const about = `PostgreSQL ${version}`
  if (Number.parseInt(version) < oldest)
    return reportWarning(`${about} is no longer maintained. Upgrade to ${oldest} or newer.`)
  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => found[name] === 'off')
  if (off.length > 0) {
    return reportFailure(`${about} has ${off.join(' and ')} off. Saved data can be lost if the machine fails.`, [
      {
        program: 'PostgreSQL',
        lines: [...off.map((name) => `alter system set ${name} = on;`), 'select pg_reload_conf();'].join('\n'),
      },
    ])
  }
  if (found['data_checksums'] === 'off') {
    return reportWarning(`${about} has no checksums, so disk damage goes unnoticed.`, [
      { program: 'shell', lines: 'pg_checksums --enable   # while the server is stopped' },
    ])
  }
  return reportPass(`${about}, with checksums; every commit is forced to disk.`)
}

/** Each process holds its pool and one connection that listens. */
export const judgeConnections = (most: number, now: number, processes: number, poolSize: number): CheckOutcome => {
  const needed = Math.max(1, processes) * (poolSize + 1)
  const message = `${now} of ${most} connections are in use; ${processes} Atrium processes need up to ${needed}.`
  return needed > most - 5
    ? reportWarning(message, [
        {
          program: 'PostgreSQL',
          lines: `alter system set max_connections = ${Math.ceil((needed + 20) / 50) * 50};\n-- and restart the server`,
        },
      ])
    : reportPass(message)
}

/** `aheadMs`: how far the clock of the database is ahead of ours. */
export const judgeClock = (aheadMs: number): CheckOutcome => {
  const seconds = Math.abs(aheadMs) / 1000
  const message = `The clocks of this machine and of the database are ${seconds.toFixed(1)} s apart.`
  if (seconds > 30) return reportFailure(`${message} Sign-in, limits and jobs go wrong. Run a time service on both.`)
  return seconds > 2 ? reportWarning(`${message} Run a time service on both.`) : reportPass(message)
}
