/** What administrators see of an instance of two processes, and of one on SQLite. */
import { systemDiagnosticsRoutes as routes } from '@atrium/contract/system-diagnostics'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { startAppProcess } from '../testing/app-process.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../testing/databases.ts'

test('two processes on PostgreSQL stand in one report, with the connections of both', async () => {
  const databaseUrl = await createPostgresDatabase()
  const app = await startTestApp({ env: { DATABASE_URL: databaseUrl } })
  const second = await startAppProcess({ PORT: '0', DATA_DIR: app.dataDir, DATABASE_URL: databaseUrl })
  try {
    const admin = await app.signUpAdmin()
    const read = () => admin.call(routes.instance, {})
    await vi.waitFor(async () => expect((await read()).processes).toHaveLength(2))
    const { processes, database, limits, jobs } = await read()
    expect(processes.map(({ isThis, phase }) => [isThis, phase])).toEqual([
      [true, 'ready'],
      [false, 'ready'],
    ])
    expect(new Set(processes.map(({ pid }) => pid)).size).toBe(2)
    expect(database).toMatchObject({ dialect: 'postgres', connections: { waiting: 0 } })
    expect(database?.sizeBytes).toBeGreaterThan(0)
    expect(database?.tables).toHaveLength(10)
    const server = limits.find(({ name }) => name === 'server-connections')
    expect(server?.value).toBeGreaterThan(1)
    expect(server?.limit).toBeGreaterThan(server?.value ?? 0)
    expect(limits.find(({ name }) => name === 'jobs')?.limit).toBe(8)
    expect(jobs?.map(({ kind }) => kind)).toContain('house.tidy')
    expect(await admin.call(routes.deep, {})).toMatchObject({ status: 'ready' })
    expect((await admin.call(routes.history, {})).items.map(({ pid }) => pid)).toContain(process.pid)
  } finally {
    await second.stop()
    await app.close()
    await dropPostgresDatabase(databaseUrl)
  }
})

test('on SQLite the file, its log and its largest tables are measured', async () => {
  const app = await startTestApp()
  try {
    const admin = await app.signUpAdmin()
    const { processes, database, search } = await admin.call(routes.instance, {})
    expect(processes).toHaveLength(1)
    expect(database).toMatchObject({ dialect: 'sqlite', connections: null })
    const { sizeBytes = 0, logBytes = 0, tables } = database ?? {}
    expect(sizeBytes).toBeGreaterThan(0)
    expect(logBytes).toBeGreaterThan(0)
    const sum = (tables ?? []).reduce((total, { bytes }) => total + bytes, 0)
    expect(sum).toBeGreaterThan(0)
    expect(tables?.map(({ name }) => name)).not.toContain('jobs_queue')
    expect(search).toMatchObject({ chats: 0, documents: 0 })
    const deep = await admin.call(routes.deep, {})
    const passed = deep.checks.filter(({ status }) => status === 'pass').map(({ id }) => id)
    expect(passed).toEqual(expect.arrayContaining(['database', 'data-folder', 'messages', 'jobs', 'versions', 'key']))
  } finally {
    await app.close()
  }
})
