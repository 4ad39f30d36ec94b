import { routes } from '@atrium/contract/route'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Area } from './area.ts'
import { checkTable, createMethodFinder } from './table.ts'

const Nothing = z.strictObject({})
const route = { access: 'public', names: 'instance', summary: 'x', returns: Nothing } as const
const areaOf = (name: string, table: Area['routes'], handlers?: Area['handlers']): Area => ({
  name,
  routes: table,
  handlers: handlers ?? Object.fromEntries(Object.keys(table).map((key) => [key, async () => ({})])),
})

test('a sound table passes', () => {
  const params = z.strictObject({ id: z.string() })
  const table = routes({
    list: { ...route, method: 'get', path: '/api/a' },
    read: { ...route, method: 'get', path: '/api/a/{id}', params },
    remove: { ...route, method: 'delete', path: '/api/a/{id}', params },
  })
  expect(() => checkTable([areaOf('a', table)])).not.toThrow()
})

test('everything that is wrong with a table is told at once', () => {
  const first = routes({
    read: { ...route, method: 'get', path: '/api/a/{id}', params: z.strictObject({ id: z.string() }) },
  })
  const second = routes({
    twin: { ...route, method: 'get', path: '/api/a/{name}', params: z.strictObject({ name: z.string() }) },
    undeclared: { ...route, method: 'get', path: '/api/b/{id}' },
    spare: { ...route, method: 'get', path: '/api/c', params: z.strictObject({ id: z.string() }) },
    talkative: { ...route, method: 'get', path: '/api/d', body: Nothing },
    alone: { ...route, method: 'get', path: '/api/e' },
  })
  const handlers = {
    twin: async () => ({}),
    undeclared: async () => ({}),
    spare: async () => ({}),
    talkative: async () => ({}),
    odd: async () => ({}),
  }
  const check = () => checkTable([areaOf('one', first), areaOf('two', second, handlers)])
  for (const fault of [
    'two.twin claims get /api/a/{name}, which one.read has',
    'two.undeclared does not declare {id}',
    'two.spare declares id, which is not in its path',
    'two.talkative cannot take a JSON body',
    'two.alone has no handler',
    'two.odd has no route',
  ])
    expect(check).toThrow(fault)
})

test('a route whose path has a parameter and that does not say what it names is refused, like one for nobody', () => {
  const params = z.strictObject({ id: z.string() })
  const { names: _, ...silent } = { ...route, access: 'user', method: 'get', params } as const
  const table = {
    own: { ...silent, path: '/api/a/{id}', names: 'own' },
    forgotten: { ...silent, path: '/api/b/{id}' },
    shared: { ...silent, path: '/api/c/{id}', names: { resource: 'chat', id: 'chatId', right: 'read' } },
    open: { ...silent, path: '/api/d/{id}', access: 'public', names: { resource: 'chat', id: 'id', right: 'read' } },
    nobody: { ...silent, path: '/api/e', params: undefined, access: undefined as never },
    unknown: { ...silent, path: '/api/f', params: undefined, access: 'guest' as never },
  } as const satisfies Area['routes']
  const check = () => checkTable([areaOf('a', table)])
  for (const fault of [
    'a.forgotten does not say what its path names',
    'a.shared names a thing by {chatId}, which is not in its path',
    'a.open names a thing, and is for everybody',
    'a.nobody does not say who may call it',
    'a.unknown does not say who may call it',
  ])
    expect(check).toThrow(fault)
  expect(check).not.toThrow('a.own')
})

test('the methods of a path are known for any value of its parameters', () => {
  const params = z.strictObject({ id: z.string() })
  const table = routes({
    read: { ...route, method: 'get', path: '/api/a.json/{id}', params },
    remove: { ...route, method: 'delete', path: '/api/a.json/{id}', params },
    follow: { ...route, method: 'get', path: '/api/follow', stream: Nothing },
  })
  const methodsOf = createMethodFinder([areaOf('a', table)])
  expect(methodsOf('/api/a.json/some%20id')).toEqual(['GET', 'HEAD', 'DELETE'])
  expect(methodsOf('/api/follow')).toEqual(['GET'])
  expect(methodsOf('/api/aXjson/1')).toEqual([])
  expect(methodsOf('/api/a.json/1/2')).toEqual([])
})
