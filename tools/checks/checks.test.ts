import { describe, expect, it } from 'vitest'
import { type Check, checks } from './checks.mjs'
import { parseSource } from './sources.mjs'

/** What a check says of files that are in no repository, by their paths. */
const findIn = (check: Check, files: Readonly<Record<string, string>>): string[] =>
  check.find(
    Object.entries(files).map(([path, text]) => parseSource(path, text)),
    Object.keys(files),
  )

describe('the checks of the sources', () => {
  it('report four files that import each other in a circle, types included, and let three be', () => {
    const ring = (size: number) =>
      Object.fromEntries(
        Array.from({ length: size }, (_, at) => [
          `server/src/core/notes/part-${at}.ts`,
          `import type { Part } from './part-${(at + 1) % size}.ts'\nexport type Part${at} = Part`,
        ]),
      )
    expect(findIn(checks.circles, ring(4))).toEqual([
      `4 files import each other in a circle: ${Object.keys(ring(4)).join(', ')}`,
    ])
    expect(findIn(checks.circles, ring(3))).toEqual([])
  })

  it.each([
    ['export type Given = string', 'Given is a past participle'],
    ['export interface Broken {}', 'Broken is a past participle'],
    ['export const stored = () => 1', 'stored is a past participle'],
    ['export function list() {}', 'list is a function and no verb'],
    ['export const latest = () => 1', 'latest is a function and no verb'],
  ])('report the name in “%s”', (text, objection) => {
    expect(findIn(checks.names, { 'web/src/lib/words.ts': `\n${text}` })).toEqual([
      `web/src/lib/words.ts:2 ${objection}`,
    ])
    // Tests name things as they like.
    expect(findIn(checks.names, { 'web/src/lib/words.test.ts': text })).toEqual([])
  })

  it('let verbs, names of two words, values and the words of our own be', () => {
    const text = `export function send() {}
      export const listNotes = () => 1
      export const list = [1]
      export const area = () => 1
      export interface Sealed {}
      const stored = () => 1`
    expect(findIn(checks.names, { 'web/src/lib/words.ts': text })).toEqual([])
  })

  describe('of the shape of an area', () => {
    const sound = {
      'contract/src/notes/area.ts': '',
      'contract/src/notes/index.ts': '',
      'server/src/features/notes/index.ts': '',
      'server/src/features/notes/tables.ts': 'export const up = `create table notes (id text)`',
      'web/src/features/notes/page.tsx': '',
    }
    const without = (path: keyof typeof sound) =>
      Object.fromEntries(Object.entries(sound).filter(([at]) => at !== path))

    it('let an area be that has its word in three places', () => {
      expect(findIn(checks.shape, sound)).toEqual([])
    })

    it.each([
      [without('contract/src/notes/index.ts'), 'contract/src/notes has no index.ts'],
      [
        { ...without('server/src/features/notes/index.ts'), 'server/src/features/notes/store.ts': '' },
        'server/src/features/notes has no index.ts',
      ],
      [
        { ...sound, 'server/src/core/notes/index.ts': '' },
        'contract/src/notes: 2 folders of the server have this name',
      ],
      [
        { ...sound, 'server/src/core/memos/index.ts': '' },
        'server/src/core/memos: no area of the contract has this name',
      ],
      [
        { ...sound, 'web/src/features/memos/page.tsx': '' },
        'web/src/features/memos: no area of the contract has this name',
      ],
      [
        { ...sound, 'server/src/features/notes/utils.ts': '' },
        'server/src/features/notes/utils.ts has a name that says nothing',
      ],
      [
        { ...sound, 'server/src/features/notes/store.ts': 'export const up = `create table memos (id text)`' },
        'server/src/features/notes/store.ts makes a table: migrations stand in tables.ts or migrations.ts',
      ],
    ])('report what is not where it belongs (%#)', (files, breach) => {
      expect(findIn(checks.shape, files)).toEqual([breach])
    })
  })

  it('report a shared file that imports an area, and let the lists of areas and the areas themselves be', () => {
    const text = `import { notes } from '../features/notes/area.ts'\nexport const all = [notes]`
    const files = { 'server/src/features/notes/area.ts': 'export const notes = 1', 'server/src/app/routes.ts': text }
    expect(findIn(checks.shared, files)).toEqual([
      'server/src/app/routes.ts:1 imports notes: ../features/notes/area.ts',
    ])
    expect(
      findIn(checks.shared, {
        'server/src/features/notes/area.ts': `import type { Note } from '@atrium/contract/notes'\nexport const notes: Note[] = []`,
        'contract/src/notes/index.ts': 'export type Note = string',
        'server/src/app/areas.ts': text,
      }),
    ).toEqual([])
    expect(
      findIn(checks.shared, {
        'server/src/platform/files/files.ts': `import type { Note } from '@atrium/contract/notes'\nexport type File = Note`,
        'contract/src/notes/index.ts': 'export type Note = string',
      }),
    ).toEqual(['server/src/platform/files/files.ts:1 imports notes: @atrium/contract/notes'])
  })

  it('report an object literal in an object literal, in tests too, and let other spreads be', () => {
    const text = `const rest = {}\nexport const one = {\n  ...{ a: 1 },\n  ...rest,\n  ...(rest ? { b: 1 } : {}),\n}`
    expect(findIn(checks.spread, { 'server/src/app/one.test.ts': text })).toEqual([
      'server/src/app/one.test.ts:3 spreads an object literal',
    ])
  })

  it('report statements outside the store of an area, and let stores, tests and the platform be', () => {
    const text = `export const read = (db) =>\n  db.selectFrom('notes')\nexport const raw = sql\`select 1\`\nexport const typed = sql<number>\`select 1\``
    expect(findIn(checks.sql, { 'server/src/features/notes/handlers.ts': text })).toEqual([
      'server/src/features/notes/handlers.ts:2 holds SQL',
      'server/src/features/notes/handlers.ts:3 holds SQL',
      'server/src/features/notes/handlers.ts:4 holds SQL',
    ])
    for (const place of ['store.ts', 'name-store.ts', 'list-query.ts', 'stores/notes.ts', 'tables.ts', 'notes.test.ts'])
      expect(findIn(checks.sql, { [`server/src/features/notes/${place}`]: text })).toEqual([])
    expect(findIn(checks.sql, { 'server/src/platform/db/read.ts': text })).toEqual([])
  })
})
