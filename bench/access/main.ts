/**
 * `npm run bench:access`: what the decision on rights adds to a request at 10,000 grants, on both databases, and what
 * signing in costs in a crowd; the figures are written to docs/benchmarks-access.md.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../server/src/app/areas.ts'
import { type Database, migrate, openDatabase } from '../../server/src/platform/db/index.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { startPostgres } from '../../server/src/testing/postgres.ts'
import { type Figures, measure } from './measure.ts'
import { measureSignIn } from './sign-in.ts'

const grants = 10_000
const lines: string[] = []
const say = (line = ''): void => {
  lines.push(line)
  console.log(line)
}
const ms = (value: number): string => value.toFixed(3)

const row = (database: string, name: string, { p50, p95, added, inside }: Figures): void =>
  say(`| ${database} | ${name} | ${ms(p50)} | ${ms(p95)} | ${ms(added)} | ${ms(inside)} |`)

const on = async (name: string, database: Database): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  try {
    await migrate(database, migrations, { version: '0', snapshotFolder: folder, now: () => Date.now() })
    const figures = await measure(database, grants)
    for (const [who, its] of Object.entries(figures)) row(name, who, its)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const log = createLog({ level: 'silent' })
const quiet = {
  warn: (fields: object, message: string) => log.warn(message, { ...fields }),
  error: (fields: object, message: string) => log.error(message, { ...fields }),
}
say('| Database | Caller | p50 ms | p95 ms | added at p50, ms | decision alone, p50 ms |')
say('|---|---|---|---|---|---|')
const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
const postgres = await startPostgres()
try {
  await on('SQLite', await openDatabase({ file: join(folder, 'atrium.db'), key: randomBytes(32), log: quiet }))
  await on('PostgreSQL', await openDatabase({ url: postgres.url, poolSize: 5, log: quiet }))
} catch (error) {
  // The server for tests ends the process in its own way, and would leave this unsaid.
  console.error(error)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
say()
say('| Signing in | p50 ms | p99 ms | |')
say('|---|---|---|---|')
const { alone, crowded, gaps, lateness } = await measureSignIn()
const pair = ({ p50, p99 }: { p50: number; p99: number }): string => `${p50.toFixed(1)} | ${p99.toFixed(1)}`
say(`| One after another | ${pair(alone)} | |`)
say(`| Fifty people at a time, again and again | ${pair(crowded)} | ${crowded.perSecond.toFixed(1)} a second |`)
say(`| Between two tokens of an answer, nobody signs in | ${pair(gaps.quiet)} | sent every 20 ms |`)
say(`| … while the fifty do | ${pair(gaps.crowded)} | |`)
say(`| Lateness of the event loop meanwhile | ${pair(lateness)} | at most ${lateness.max.toFixed(1)} ms |`)
writeFileSync(
  'docs/benchmarks-access.md',
  `# Benchmarks of access

One run of \`npm run bench:access\` on ${cpus().length} cores, Node ${process.versions.node}, on ${new Date().toISOString().slice(0, 10)}: ${grants.toLocaleString('en')} documents with a grant
each, a third of them to the caller, a third to twenty groups that the caller is in, the rest to others. Requests over HTTP, one
after the other and in turn, so that each kind meets the same machine: to a route that names nothing, and to one that names a
document. SQLite files are encrypted, as they are in use; PostgreSQL runs on the same machine.
Signing in hashes the password with argon2id (19 MiB, two passes) on threads of its own, two at a time, while an answer is written to somebody.

${lines.join('\n')}
`,
)
// Last, as it may take the process along.
await postgres.stop()
