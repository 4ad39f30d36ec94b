import { expect, test } from 'vitest'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { vaultMigrations } from '../../vault/tables.ts'
import { openVault } from '../../vault/vault.ts'
import { createSearchIndexes, searchMigrations } from './index.ts'

onBothDatabases('searching in languages', (open) => {
  /** Puts texts into an index of their own; gives what finds in it, best first. */
  const indexOf = async (...contents: string[]) => {
    const database = await open([...vaultMigrations, ...searchMigrations])
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock: testClock() })
    const { texts } = createSearchIndexes({ database, vault })
    const entries = contents.map((text, at) => ({
      id: `${at}`,
      text,
      group: `${at}`,
      partition: 'ada',
      time: 0,
      facets: [],
    }))
    await texts.put(await texts.hash(entries))
    return async (text: string) =>
      (await texts.find({ text, partitions: ['ada'], limit: 10 })).map(({ id, whole }) => ({ id, whole }))
  }

  test('puts Vietnamese words above texts that have their syllables apart, with and without marks', async () => {
    const find = await indexOf(
      'Những người nông dân đã được học cách trồng sinh tố, và viên đá thì ở trong các ly của họ.',
      'Những sinh viên của trường đã đến từ các nước khác, và họ được học ở trong thành phố.',
    )
    for (const words of ['sinh viên', 'sinh vien', 'SINH VIÊN'])
      expect((await find(words)).map(({ id }) => id)).toEqual(['1', '0'])
  })

  test('finds other forms of a Greek word, and none of another word', async () => {
    const find = await indexOf(
      'Τα σχολεία της πόλης είναι παλιά και οι δάσκαλοι δεν έχουν πολύ χρόνο.',
      'Η θάλασσα είναι ήρεμη και ο ουρανός δεν έχει σύννεφα.',
    )
    expect(await find('σχολείο')).toEqual([{ id: '0', whole: false }])
    expect(await find('δάσκαλος')).toEqual([{ id: '0', whole: false }])
    expect(await find('ΟΥΡΑΝΟΥ')).toEqual([{ id: '1', whole: false }])
  })

  test('finds other forms of a Romanian word', async () => {
    const find = await indexOf('Elevii sunt în școală, iar profesorii au fost la bibliotecă cu ei.')
    expect(await find('elevilor')).toEqual([{ id: '0', whole: false }])
    expect(await find('profesor')).toEqual([{ id: '0', whole: false }])
  })
})
