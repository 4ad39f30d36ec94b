import { expect, test } from 'vitest'
import { z } from 'zod'
import { toRequest } from './request.ts'
import { routes } from './route.ts'

const table = routes({
  read: {
    method: 'get',
    path: '/api/boxes/{boxId}/things/{id}',
    access: 'user',
    summary: 'One thing',
    params: z.strictObject({ boxId: z.string(), id: z.string() }),
    query: z.strictObject({ limit: z.number().optional(), q: z.string().optional() }),
    returns: z.strictObject({}),
  },
  add: {
    method: 'post',
    path: '/api/boxes',
    access: 'user',
    summary: 'Add a box',
    body: z.strictObject({ name: z.string() }),
    returns: z.strictObject({}),
  },
  send: {
    method: 'post',
    path: '/api/files',
    access: 'user',
    summary: 'Send a file',
    upload: { maxBytes: 10 },
    returns: z.strictObject({}),
  },
})

test('path parameters are encoded and absent query values left out', () => {
  const request = toRequest(table.read, { params: { boxId: 'a/b ?', id: 'ü%' }, query: { limit: 3, q: undefined } })
  expect(request.method).toBe('GET')
  expect(request.path).toBe('/api/boxes/a%2Fb%20%3F/things/%C3%BC%25?limit=3')
  expect(request.body).toBeUndefined()
  expect(request.headers).toEqual({ accept: 'application/json' })
})

test('a body travels as JSON', () => {
  const request = toRequest(table.add, { body: { name: 'x' } })
  expect(request.headers['content-type']).toBe('application/json')
  expect(request.body).toBe('{"name":"x"}')
})

test('an upload travels raw, with its own type', () => {
  const file = new Blob(['hello'], { type: 'text/markdown' })
  const request = toRequest(table.send, { file })
  expect(request.body).toBe(file)
  expect(request.headers['content-type']).toBe('text/markdown')
})

test('a parameter that is missing, or would be folded away by a URL parser, is refused', () => {
  expect(() => toRequest(table.read, { params: { boxId: '', id: 'x' }, query: {} })).toThrow('boxId')
  expect(() => toRequest(table.read, { params: { boxId: '..', id: 'x' }, query: {} })).toThrow('..')
})
