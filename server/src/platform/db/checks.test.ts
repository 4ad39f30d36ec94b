import { expect, test } from 'vitest'
import { runChecks } from '../diagnostics/checks.ts'
import { onBothDatabases } from '../../testing/databases.ts'

onBothDatabases('the checks of a database', (open, dialect) => {
  test('answer on a fresh one', async () => {
    const database = await open([])
    const checks = await runChecks(database.checks)
    // The PostgreSQL server of the tests is quick because it does not force commits to the disk.
    expect(checks.find(({ status }) => status === 'fail')?.message).toEqual(
      dialect === 'sqlite' ? undefined : expect.stringContaining('fsync'),
    )
    expect(checks.map(({ id }) => id)).toEqual(
      dialect === 'sqlite' ? ['database'] : ['database', 'connections', 'statement-log', 'clock', 'pooler'],
    )
    expect(checks[0]?.message).toMatch(dialect === 'sqlite' ? /SQLite \d.*without damage/ : /PostgreSQL \d/)
  })
})

test('a check that rejects is told as a failure, and one that has nothing to say is left out', async () => {
  const checks = await runChecks([
    { id: 'broken', run: () => Promise.reject(new Error('no such thing')) },
    { id: 'absent', run: async () => null },
  ])
  expect(checks).toEqual([{ id: 'broken', status: 'fail', message: 'Couldn’t check this: no such thing', fixes: [] }])
})
