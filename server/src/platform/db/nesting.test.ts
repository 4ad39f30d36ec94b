import { expect, it } from 'vitest'
import { onBothDatabases } from '../../testing/databases.ts'
import { openDatabase } from './index.ts'

onBothDatabases('a write that is awaited inside a write', (open) => {
  it('fails with a sentence instead of waiting for ever', async () => {
    const { options } = await open.place()
    const database = await openDatabase({ ...options, nestedWaitMs: 20 })
    const outer = database.write(() => database.write(async () => 'inner'))
    await expect(outer).rejects.toThrow('A write was awaited inside another write.')
    expect(await database.write(async () => 'next')).toBe('next')
    await database.close()
  })
})
