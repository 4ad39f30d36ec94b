import { readFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../../testing/clock.ts'
import { type Open, onBothDatabases, openerFor } from '../../../testing/databases.ts'
import { vaultMigrations } from '../../vault/tables.ts'
import { openVault } from '../../vault/vault.ts'
import { type Database, migrate, openDatabase } from '../index.ts'
import { createFrequencies } from './frequencies.ts'
import { createSearchIndexes, searchMigrations, type TextEntry, type TextIndex, type TextQuery } from './index.ts'
import { clausesOf, termsOf } from './terms.ts'

const steps = [...vaultMigrations, ...searchMigrations]
const indexesOf = async (database: Database) => {
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock: testClock() })
  return { database, ...createSearchIndexes({ database, vault }) }
}
const begin = async (open: Open) => indexesOf(await open(steps))

const entry = (id: string, text: string, changes: Partial<TextEntry> = {}): TextEntry => ({
  id,
  text,
  group: id.split(':')[0] ?? id,
  partition: 'ada',
  time: 0,
  facets: [],
  ...changes,
})
const put = async (texts: TextIndex, ...entries: TextEntry[]) => texts.put(await texts.hash(entries))
const find = (texts: TextIndex, text: string, changes: Partial<TextQuery> = {}) =>
  texts.find({ text, partitions: ['ada'], limit: 10, ...changes })
const ids = async (texts: TextIndex, text: string, changes: Partial<TextQuery> = {}) =>
  (await find(texts, text, changes)).map(({ id }) => id)

/** Texts of made-up words, frequent ones and rare ones, always the same. */
const makeTexts = (count: number, length: number, vocabulary = 2000): string[] => {
  let state = 5
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  const word = () => `w${Math.floor(vocabulary ** next()).toString(36)}q`
  return Array.from({ length: count }, () => Array.from({ length: 3 + Math.floor(next() * length) }, word).join(' '))
}

/** BM25 by hand, over the terms as they are. */
const byHand = (texts: readonly string[], query: string, limit = 10): { id: string; score: number }[] => {
  const entries = texts.map((text) => {
    const { words, kin } = termsOf(text)
    return [...words, ...kin]
  })
  const lengths = entries.map((terms) => terms.length + 2)
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const terms = new Set<string>(
    clausesOf(query, ['en']).flatMap(({ whole, kin, parts }) => [
      whole,
      ...kin,
      ...parts.flatMap((part) => [part.word, ...part.kin]),
    ]),
  )
  const scores = new Map<number, number>()
  for (const term of terms) {
    const found = entries.flatMap((all, at) => (all.some((one) => one === term) ? [at] : []))
    const idf = Math.max(1e-6, Math.log((texts.length - found.length + 0.5) / (found.length + 0.5)))
    for (const at of found) {
      const times = entries[at]?.filter((one) => one === term).length ?? 0
      const norm = 1.2 * (1 - 0.75 + (0.75 * (lengths[at] ?? 0)) / average)
      scores.set(at, (scores.get(at) ?? 0) + (idf * times * 2.2) / (times + norm))
    }
  }
  return [...scores]
    .map(([at, score]) => ({ id: `t:${at}`, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

onBothDatabases('the index of words', (open, dialect) => {
  test('finds entries by their words, in the partitions and groups that are asked for', async () => {
    const { texts } = await begin(open)
    await put(
      texts,
      entry('a:0', 'The quick brown fox jumps over the lazy dog.'),
      entry('a:1', 'A fox, a fox, and once more a fox.'),
      entry('b:0', 'Nothing about animals here.'),
      ...Array.from({ length: 6 }, (_, at) => entry(`d:${at}`, 'Something else that stands around.')),
      entry('c:0', 'Another fox of somebody else', { partition: 'bob' }),
    )
    expect(await ids(texts, 'fox')).toEqual(['a:1', 'a:0'])
    expect(await ids(texts, 'what about the FOX?')).toEqual(['a:1', 'a:0'])
    expect(await ids(texts, 'fox', { partitions: ['bob'] })).toEqual(['c:0'])
    expect(await ids(texts, 'fox', { partitions: ['bob', 'ada'], limit: 2 })).toHaveLength(2)
    expect(await ids(texts, 'fox', { partitions: [] })).toEqual([])
    expect(await ids(texts, 'fox', { partitions: ['nobody'] })).toEqual([])
    expect(await ids(texts, 'animals', { groups: ['b'] })).toEqual(['b:0'])
    expect(await ids(texts, 'fox', { groups: ['b', 'c'] })).toEqual([])
    expect(await ids(texts, 'zebra')).toEqual([])
  })

  test('scores as BM25 does', async () => {
    const { texts } = await begin(open)
    const all = makeTexts(300, 60)
    await put(texts, ...all.map((text, at) => entry(`t:${at}`, text)))
    for (const query of ['w5q', 'w5q w1cq wbq', all[7] ?? '', 'the w3q wzq-w2q']) {
      const expected = byHand(all, query)
      const found = await find(texts, query)
      expect(found.length).toBe(expected.length)
      found.forEach(({ score }, at) => expect(score).toBeCloseTo(expected[at]?.score ?? 0, 8))
      // Equal scores may stand in any order.
      expect(new Set(found.slice(0, 5).map(({ score }) => score.toFixed(8)))).toEqual(
        new Set(expected.slice(0, 5).map(({ score }) => score.toFixed(8))),
      )
    }
  })

  test('keeps no word on the disk', async () => {
    const { options, folder } = await open.place()
    const database = await openDatabase(dialect === 'sqlite' ? { ...options, key: undefined } : options)
    await migrate(database, steps, { version: '0', snapshotFolder: folder, now: () => 0 })
    const { texts } = await indexesOf(database)
    await put(
      texts,
      entry('a:0', 'The xylophone plays zanzibar.', { prefixes: true, facets: ['from:quagmire'] }),
      entry('a:1', 'Zanzibar again: xylophones.'),
    )
    expect(await ids(texts, 'xylophone')).toHaveLength(2)
    const seen = await contentOf(database, folder)
    await database.close()
    for (const word of ['xylo', 'phone', 'zanzi', 'quagmire', 'again']) expect(seen.toLowerCase()).not.toContain(word)
    expect(seen).toContain('a:0')
  })

  test('moves groups to another partition, where they are found at once and nowhere else', async () => {
    const { texts } = await begin(open)
    await put(texts, entry('a:0', 'a fox'), entry('a:1', 'a vixen'), entry('b:0', 'a fox too'))
    await texts.move(['a'], 'collection:c')
    expect(await ids(texts, 'fox')).toEqual(['b:0'])
    expect(await ids(texts, 'fox', { partitions: ['collection:c'] })).toEqual(['a:0'])
    await put(texts, entry('a:2', 'another fox', { partition: 'collection:c' }))
    await put(texts, entry('e:0', 'nothing here', { partition: 'collection:d' }))
    expect((await ids(texts, 'fox', { partitions: ['collection:c'] })).sort()).toEqual(['a:0', 'a:2'])
    // A share was revoked: the partition is not asked for any more.
    expect(await ids(texts, 'fox', { partitions: ['ada', 'collection:d'] })).toEqual(['b:0'])
    await texts.move(['a'], 'ada')
    expect((await ids(texts, 'fox')).sort()).toEqual(['a:0', 'a:2', 'b:0'])
    expect(await ids(texts, 'fox', { partitions: ['collection:c'] })).toEqual([])
  })

  test('removes entries, groups and partitions, and leaves no row behind', async () => {
    const { texts, database } = await begin(open)
    await put(
      texts,
      entry('a:0', 'a fox'),
      entry('a:1', 'fox'),
      entry('b:0', 'fox'),
      entry('c:0', 'fox', { partition: 'bob' }),
    )
    await texts.remove(['a:0', 'unknown'])
    expect((await ids(texts, 'fox')).sort()).toEqual(['a:1', 'b:0'])
    await texts.removeGroups(['a', 'unknown'])
    expect(await ids(texts, 'fox')).toEqual(['b:0'])
    await texts.removePartitions(['ada'])
    expect(await ids(texts, 'fox', { partitions: ['ada', 'bob'] })).toEqual(['c:0'])
    await texts.removePartitions(['bob'])
    const tables = [
      'search_groups',
      'search_entries',
      dialect === 'sqlite' ? 'search_words_docsize' : 'search_postings',
    ]
    for (const table of tables)
      expect((await sql`select 1 from ${sql.table(table)}`.execute(database.tables())).rows).toEqual([])
  })

  test('puts the same ids again in place of what was there, also twice in one go', async () => {
    const { texts } = await begin(open)
    await put(texts, entry('a:0', 'fox'), entry('a:1', 'goose'))
    await put(texts, entry('a:0', 'hen'), entry('a:0', 'swan', { partition: 'bob' }))
    expect(await ids(texts, 'fox hen')).toEqual([])
    expect(await ids(texts, 'goose')).toEqual(['a:1'])
    expect(await ids(texts, 'swan', { partitions: ['bob'] })).toEqual(['a:0'])
  })

  test('writes within the transaction of its caller, all or nothing', async () => {
    const { texts, database } = await begin(open)
    const hashed = await texts.hash([entry('a:0', 'fox'), entry('a:1', 'goose')])
    const failing = database.write(async (trx) => {
      await texts.put(hashed, trx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await ids(texts, 'fox')).toEqual([])
    await database.write((trx) => texts.put(hashed, trx))
    expect(await ids(texts, 'fox')).toEqual(['a:0'])
  })

  test('asks for facets and times', async () => {
    const { texts } = await begin(open)
    await put(
      texts,
      entry('a:0', 'fox', { time: 100, facets: ['from:user', 'has:code'] }),
      entry('a:1', 'fox', { time: 200, facets: ['from:model'] }),
    )
    expect(await ids(texts, 'fox', { facets: ['from:user'] })).toEqual(['a:0'])
    expect(await ids(texts, 'fox', { facets: ['from:user', 'has:code'] })).toEqual(['a:0'])
    expect(await ids(texts, 'fox', { facets: ['from:model', 'has:code'] })).toEqual([])
    expect(await ids(texts, 'fox', { facets: ['from:%'] })).toEqual([])
    expect(await ids(texts, 'fox', { after: 101 })).toEqual(['a:1'])
    expect(await ids(texts, 'fox', { after: 100, before: 200 })).toEqual(['a:0'])
  })

  test('tells a whole word from its kin, in the language of the text', async () => {
    const { texts } = await begin(open)
    await put(
      texts,
      entry('en:0', 'There were many computers in the room, and they were running all of the time.'),
      entry('de:0', 'Die Häuser und die Straßen waren sehr alt, und es gab nicht viele davon.'),
    )
    expect(await find(texts, 'computers')).toMatchObject([{ id: 'en:0', group: 'en', whole: true }])
    expect(await find(texts, 'computer')).toMatchObject([{ id: 'en:0', whole: false }])
    expect(await find(texts, 'run')).toMatchObject([{ id: 'en:0', whole: false }])
    expect(await find(texts, 'Haus')).toMatchObject([{ id: 'de:0', whole: false }])
    expect(await find(texts, 'HAUSER STRASSEN')).toMatchObject([{ id: 'de:0', whole: true }])
  })

  test.each([
    ['Ärger über Öl in Weiß', 'arger'],
    ['Ärger über Öl in Weiß', 'WEISS'],
    ['Ένας άνθρωπος ΟΔΟΣ', 'οδος'],
    ['كَتَبَ الطالِبُ الدرسَ', 'كتب'],
    ['東京大学の学生です', '大学'],
    ['東京大学の学生です', '学'],
    ['我喜欢吃苹果', '苹果'],
    ['ภาษาไทยเป็นภาษาที่สวยงาม', 'ภาษา'],
    ['a well-known state-of-the-art method', 'well-known'],
    ['a well-known state-of-the-art method', 'wellknown'],
    ['a well-known state-of-the-art method', 'known'],
    ['it is of a purely theo-\nretical kind', 'theoretical'],
    ['it is of a purely theo-\nretical kind', 'retical'],
    ['const userName = getUserName()', 'getUserName'],
    ['const userName = getUserName()', 'user'],
    ['version 3.5 of the U.S.A. file report_2024.pdf', '3.5'],
    ['version 3.5 of the U.S.A. file report_2024.pdf', 'usa'],
    ['version 3.5 of the U.S.A. file report_2024.pdf', '2024'],
    ["Newton's law and l’homme", 'newton'],
    ["Newton's law and l’homme", "l'homme"],
    ['ｆｕｌｌｗｉｄｔｈ ﬁle', 'fullwidth'],
    ['한국어 문장입니다', '한국어'],
  ])('finds in %j the word %j', async (text, word) => {
    const { texts } = await begin(open)
    await put(texts, entry('a:0', text), entry('b:0', 'etwas anderes'))
    expect(await find(texts, word)).toMatchObject([{ id: 'a:0', whole: true }])
  })

  test('finds beginnings of words while somebody types, where an entry has its prefixes', async () => {
    const { texts } = await begin(open)
    await put(
      texts,
      entry('t:0', 'Holiday plans for Norway', { prefixes: true }),
      entry('t:1', 'Holiday photographs'),
      entry('t:2', 'Plans of the house', { prefixes: true }),
    )
    const typed = (text: string) => ids(texts, text, { typing: true, everyWord: true })
    expect(await typed('hol')).toEqual(['t:0'])
    expect((await typed('pl')).sort()).toEqual(['t:0', 't:2'])
    expect(await typed('p')).toEqual(await typed('pl'))
    expect(await typed('holiday no')).toEqual(['t:0'])
    expect((await typed('Holiday')).sort()).toEqual(['t:0', 't:1'])
    expect(await typed('hol ')).toEqual([])
    expect(await ids(texts, 'hol')).toEqual([])
  })

  test('asks for every word when it is told to', async () => {
    const { texts } = await begin(open)
    await put(texts, entry('a:0', 'red fox'), entry('a:1', 'red well known hen'), entry('a:2', 'the fox and the hens'))
    const every = (text: string) => ids(texts, text, { everyWord: true })
    expect(await every('red fox')).toEqual(['a:0'])
    expect((await every('red')).sort()).toEqual(['a:0', 'a:1'])
    expect(await every('fox hen')).toEqual(['a:2'])
    expect(await every('red well-known')).toEqual(['a:1'])
    expect(await every('red unicorn')).toEqual([])
    expect(await ids(texts, 'red unicorn')).toHaveLength(2)
  })

  test('gives the groups that have every word, for the query of somebody else', async () => {
    const { texts, database } = await begin(open)
    await put(
      texts,
      entry('a:0', 'red fox'),
      entry('b:0', 'red well known hen'),
      entry('b:1', 'a fox'),
      entry('c:0', 'red foxes', { prefixes: true }),
      entry('d:0', 'red fox', { partition: 'bob' }),
    )
    const groups = async (text: string, partitions = ['ada']) => {
      const { few, all } = await texts.matching({ text, partitions, typing: true })
      const { rows } = await sql<{ name: string }>`
        select distinct name from search_groups where name in (${all}) order by name`.execute(database.tables())
      const names = rows.map(({ name }) => name)
      expect([...new Set(few)].sort()).toEqual(names)
      return names
    }
    expect(await groups('red fox')).toEqual(['a', 'c'])
    expect(await groups('well-known hens')).toEqual(['b'])
    expect(await groups('re')).toEqual(['c'])
    expect(await groups('red', ['ada', 'bob'])).toEqual(['a', 'b', 'c', 'd'])
    await texts.move(['a', 'b'], 'bob')
    expect(await groups('red')).toEqual(['c'])
    expect(await groups('fox', ['bob'])).toEqual(['a', 'b', 'd'])
    for (const none of [
      await groups('unicorn'),
      await groups('…'),
      await groups('red', []),
      await groups('red', ['x']),
    ])
      expect(none).toEqual([])
  })

  test('gives SQL of many groups, and of those of them that are among some, without what came before', async () => {
    const { texts, database } = await begin(open)
    const name = (at: number) => `g${String(at).padStart(3, '0')}`
    for (let at = 0; at < 35; at++) await put(texts, entry(`${name(at)}:0`, at % 7 === 0 ? 'blue hen' : 'red hen'))
    const many = await texts.matching({ text: 'red hens', partitions: ['ada'] })
    const named = async (groups: RawBuilder<string>) =>
      (await sql<{ name: string }>`${groups}`.execute(database.tables())).rows.map((row) => row.name).sort()
    const red = [...Array(35).keys()].filter((at) => at % 7 !== 0).map(name)
    expect(many.few).toEqual(red)
    for (let at = 35; at < 105; at++) await put(texts, entry(`${name(at)}:0`, 'red hen'))
    const more = await texts.matching({ text: 'red hens', partitions: ['ada'] })
    expect(more.few).toBe(null)
    const all = [...red, ...[...Array(70).keys()].map((at) => name(35 + at))]
    expect(await named(more.all)).toEqual(all)
    const found = await named(more.among([name(60), name(63), name(80)]))
    expect(found).toEqual(expect.arrayContaining([name(60), name(80)]))
    expect(all.filter((one) => one >= name(60))).toEqual(expect.arrayContaining(found))
    expect(await named(more.among(['none']))).toEqual([])
    // One rare word is enough for them to be few, wherever it stands.
    await put(texts, entry('rare:0', 'red hen unicorn'), entry('rare:1', 'unicorn'), entry('other:0', 'unicorn'))
    await put(texts, entry('theirs:0', 'red hen unicorn', { partition: 'bob' }))
    for (const text of ['red hens unicorn', 'unicorn red hens'])
      expect((await texts.matching({ text, partitions: ['ada'] })).few).toEqual(['rare'])
  })

  test.each([
    '"',
    '""',
    '*',
    'fox*',
    'words : fox',
    'NEAR(fox hen)',
    'fox AND',
    'NOT fox',
    '(fox',
    '^fox',
    '-fox',
    '{words}: fox',
    "'; drop table search_entries; --",
    'fox\0hen',
    '\ud800',
    '%',
    '_',
    '🦊',
    '',
    'ab'.repeat(100_000),
    Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(' '),
    '漢'.repeat(10_000),
  ])('takes no harm from a query like %.30s', async (query) => {
    const { texts } = await begin(open)
    await put(texts, entry('a:0', 'a fox'))
    for (const changes of [{}, { everyWord: true }, { typing: true }, { typing: true, everyWord: true }])
      expect((await ids(texts, query, changes)).length).toBeLessThanOrEqual(1)
    expect(await ids(texts, 'fox')).toEqual(['a:0'])
  })

  test('takes texts without words, and very long ones', async () => {
    const { texts } = await begin(open)
    await put(texts, entry('a:0', ''), entry('a:1', '… — !'), entry('a:2', `fox ${'lorem ipsum '.repeat(20_000)}`))
    expect(await ids(texts, 'fox')).toEqual(['a:2'])
    await texts.remove(['a:0', 'a:1'])
    expect(await ids(texts, 'ipsum')).toEqual(['a:2'])
  })
})

test('PostgreSQL takes what was removed out of its statistics', async () => {
  const { texts } = await begin(openerFor('postgres'))
  const all = makeTexts(60, 30, 40)
  await put(texts, ...all.map((text, at) => entry(`t:${at}`, text)))
  await put(texts, ...makeTexts(40, 50, 40).map((text, at) => entry(`gone:${at}`, text)))
  await put(texts, ...makeTexts(5, 50, 40).map((text, at) => entry(`more:${at}`, text)))
  await texts.removeGroups(['gone'])
  await texts.remove(['more:0', 'more:1'])
  await texts.remove(['more:2', 'more:3', 'more:4', 'more:5'])
  const expected = byHand(all, 'w5q wbq waq')
  const found = await find(texts, 'w5q wbq waq')
  expect(found.length).toBe(expected.length)
  found.forEach(({ score }, at) => expect(score).toBeCloseTo(expected[at]?.score ?? 0, 8))
})

/** Everything that the database keeps of the index, as text. */
const contentOf = async (database: Database, folder: string): Promise<string> => {
  if (database.dialect === 'sqlite') {
    const files = ['atrium.db', 'atrium.db-wal'].map((name) => readFile(`${folder}/${name}`, 'latin1'))
    return (await Promise.all(files)).join()
  }
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(database.tables())
  const dumps = rows.map(({ name }) =>
    sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(database.tables()),
  )
  return (await Promise.all(dumps)).flatMap((dump) => dump.rows.map(({ row }) => row)).join('\n')
}

test('hashes rank exactly as the words themselves do in FTS5', async () => {
  const { texts } = await begin(openerFor('sqlite'))
  const all = makeTexts(400, 60)
  await put(texts, ...all.map((text, at) => entry(`t:${at}`, text)))
  const plain = new Sqlite(':memory:')
  onTestFinished(() => void plain.close())
  plain.exec(`create virtual table plain using fts5 (words, kin, scope, tokenize = "ascii tokenchars ':.'")`)
  const insert = plain.prepare('insert into plain (rowid, words, kin, scope) values (?, ?, ?, ?)')
  all.forEach((text, at) => {
    const { words, kin } = termsOf(text)
    insert.run(at, words.join(' '), kin.join(' '), 'shelf:ada group:1')
  })
  const select = plain.prepare(
    `select 't:' || rowid as id, -bm25(plain, 1, 1, 0) as score from plain where plain match ? order by bm25(plain, 1, 1, 0), rowid limit 50`,
  )
  for (const query of ['w5q wbq', 'w1q', all[3] ?? '', all[200] ?? '']) {
    const terms = clausesOf(query, ['en']).flatMap(({ whole, kin }) => [whole, ...kin])
    const expected = select.all([...new Set(terms)].map((term) => `"${term}"`).join(' OR '))
    const found = await find(texts, query, { limit: 50 })
    expect(found.map(({ id, score }) => ({ id, score }))).toEqual(expected)
  }
})

test('leaves out no hit when frequent words are only counted', async () => {
  const { texts, database } = await begin(openerFor('sqlite'))
  const all = makeTexts(14_000, 12, 3000)
  await put(texts, ...all.map((text, at) => entry(`t:${at}`, text)))
  expect(await createFrequencies(database.tables()).entries()).toBe(14_000)
  for (const query of ['w2q w3q w4q wbq w1aq', 'w2q w3q', 'w5q w6q w7q wrrq wc0q', 'w1q w2q wzzzzq']) {
    const expected = byHand(all, query)
    const found = await find(texts, query)
    expect(found.length).toBe(expected.length)
    found.forEach(({ score }, at) => expect(score).toBeCloseTo(expected[at]?.score ?? 0, 3))
  }
})
