import { expect, it, onTestFinished } from 'vitest'
import { onBothDatabases } from '../../testing/databases.ts'
import { migrate, openDatabase } from './index.ts'

interface Words {
  words: { word: string }
}
const migrations = [{ id: 'words/0001-start', up: () => ['create table words (word text)'] }]

onBothDatabases('a write that is awaited inside a write', (open) => {
  it('fails with a sentence instead of waiting for ever', async () => {
    const { options, folder } = await open.place()
    const database = await openDatabase({ ...options, nestedWaitMs: 20 })
    onTestFinished(() => database.close())
    await migrate(database, migrations, { version: '1', snapshotFolder: folder, now: () => 0 })
    const db = database.tables<Words>()

    const transaction = database.write(() => database.write(async () => 'inner'))
    await expect(transaction).rejects.toThrow('A write was awaited inside another write.')
    const statement = database.write<Words, void>(async (trx) => {
      await trx.insertInto('words').values({ word: 'outer' }).execute()
      await db.insertInto('words').values({ word: 'inner' }).execute()
    })
    await expect(statement).rejects.toThrow('A write was awaited inside another write.')

    expect(await db.selectFrom('words').selectAll().execute()).toEqual([])
    expect(await database.write(async () => 'next')).toBe('next')
  })
})
