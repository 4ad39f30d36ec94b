import { expect, test } from 'vitest'
import { z } from 'zod'
import { area } from './area.ts'
import { describeArea } from './description.ts'
import { errors } from './errors.ts'
import { areas } from './index.ts'
import { resources } from './resources.ts'
import { type Route, routes } from './route.ts'
import { scopes } from './scopes.ts'

const description = describeArea({ name: 'notes', tag: 'notes', errors: { collection_exists: [409, 'It exists.'] } })
const route = { method: 'get', path: '/api/notes', access: 'user', summary: 'Notes', returns: z.null() } as const

test('a route may answer with codes of its own area and common ones, and with no others', () => {
  const own = routes({ list: { ...route, errors: ['collection_exists', 'bad_cursor'] } })
  expect(area(description, { routes: own, shapes: {} }).routes).toBe(own)
  const foreign = routes({ list: { ...route, errors: ['document_empty'] } })
  // @ts-expect-error A code of documents at a route of notes.
  area(description, { routes: foreign, shapes: {} })
  // @ts-expect-error A code that no area has.
  const unknown: Route = { ...route, errors: ['no_such_code'] }
  // @ts-expect-error A kind that no area has.
  const thing: Route = { ...route, names: { resource: 'spaceship', id: 'id', right: 'read' } }
  expect([unknown, thing]).toHaveLength(2)
})

test('no two areas share a name, a code, an event, an audit action or a kind', () => {
  const lists = [
    areas.map(({ name }) => name),
    areas.flatMap((each) => Object.keys('errors' in each ? each.errors : {})),
    areas.flatMap((each) => Object.keys('events' in each ? each.events : {})),
    areas.flatMap((each) => ('audit' in each ? [...each.audit] : [])),
    areas.flatMap((each) => Object.keys('resources' in each ? each.resources : {})),
  ]
  for (const list of lists) expect(list).toHaveLength(new Set(list).size)
})

test('codes, scopes and kinds of every area are in the lists that derive from them', () => {
  expect(errors.document_not_found).toEqual([404, expect.any(String)])
  expect(errors.internal[0]).toBe(500)
  expect(scopes).toEqual(expect.arrayContaining(['inference', 'document-knowledge:read', 'admin']))
  expect(resources.document).toMatchObject({ shared: true, found: true, counted: 'documents' })
})
