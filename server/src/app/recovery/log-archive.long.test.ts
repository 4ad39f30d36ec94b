/** An instance goes back to a moment by PostgreSQL's own archive, with the lines that docs/operations/backups.md names. */
import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chatRoutes } from '@atrium/contract/chat'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import { type PostgresServer, startPostgres } from '../../testing/postgres.ts'

const guide = new URL('../../../../docs/operations/backups.md', import.meta.url)

/** The blocks of settings in the guide, with another folder and another time in them. */
const readRecipe = async (archive: string): Promise<{ before: string[]; back: (time: string) => string[] }> => {
  const text = await readFile(guide, 'utf8')
  const blocks = [...text.matchAll(/```ini\n(.*?)```/gs)].map(([, lines = '']) =>
    lines
      .trim()
      .split('\n')
      .map((line) => line.trim().replaceAll('/mnt/archive', archive)),
  )
  const [before = [], back = []] = blocks
  return { before, back: (time) => back.map((line) => line.replace(/(?<=target_time = ').*(?=')/, time)) }
}

const run = promisify(execFile)

/** The folder as `pg_basebackup` copies it; that program is not part of what the tests bring along. */
const copyBase = async (client: pg.Client, { dataFolder }: PostgresServer, to: string): Promise<void> => {
  await client.query(`select pg_backup_start('base', true)`)
  // With the owner, who is not ours where we are root.
  await run('cp', ['-a', dataFolder, to])
  const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()')
  await writeFile(join(to, 'backup_label'), rows[0]?.label ?? '')
  await rm(join(to, 'postmaster.pid'))
  // All of the log comes out of the archive.
  for (const name of await readdir(join(to, 'pg_wal'))) await rm(join(to, 'pg_wal', name), { recursive: true })
}

test('an instance goes back to a moment by the log archive of PostgreSQL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-archive-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [archive, base] = [join(folder, 'log'), join(folder, 'base')]
  await mkdir(archive)
  await chmod(folder, 0o755)
  await chmod(archive, 0o777)
  const recipe = await readRecipe(folder)
  const settings = recipe.before.map((line) => line.replace(/ = '?(.*?)'?$/, '=$1'))
  expect(settings).toHaveLength(4)
  const postgres = await startPostgres(settings)
  onTestFinished(postgres.stop)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const ask = async (text: string) => (await client.query<{ value: string }>(`select ${text} as value`)).rows[0]?.value
  const app = await startTestApp({ env: { DATABASE_URL: postgres.url } })
  onTestFinished(() => app.close())
  const admin = await app.signUpAdmin()
  const make = (title: string) => admin.call(chatRoutes.create, { body: { title } })
  await copyBase(client, postgres, base)
  // None of this is in the copy.
  const { id } = await make('kept')
  const moment = (await ask('clock_timestamp()::text')) ?? ''
  await admin.call(chatRoutes.remove, { params: { sessionId: id } })
  await make('late')
  const last = (await ask('pg_walfile_name(pg_switch_wal())')) ?? ''
  await expect.poll(async () => (await readdir(archive)).includes(last)).toBe(true)
  await app.stop()
  await client.end()

  await postgres.restart('fast', async () => {
    await writeFile(join(base, 'recovery.signal'), '')
    await appendFile(join(base, 'postgresql.auto.conf'), recipe.back(moment).join('\n'))
    await run('chown', ['-R', '--reference', postgres.dataFolder, base])
    await rm(postgres.dataFolder, { recursive: true })
    await run('cp', ['-a', base, postgres.dataFolder])
  })
  await app.restart()
  const { items } = await admin.call(chatRoutes.list, { query: {} })
  expect(items.map(({ title }) => title)).toEqual(['kept'])
})
