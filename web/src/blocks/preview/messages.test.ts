import { expect, test } from 'vitest'
import { readMessage } from './messages.ts'

const say = (type: string, more: object = {}) => readMessage({ type: `atrium-preview:${type}`, ...more })

test('a message is taken in its own form', () => {
  expect(say('ready')).toEqual({ type: 'ready' })
  expect(say('console', { level: 'warn', text: 'Mind', uncaught: true })).toEqual({
    type: 'console',
    level: 'warn',
    text: 'Mind',
    uncaught: true,
  })
  expect(say('link', { address: 'https://elsewhere.example/' })).toMatchObject({ type: 'link' })
  expect(say('save', { name: '../.plan\u202e.txt', blob: new Blob(['x']) })).toMatchObject({ name: '_.plan_.txt' })
})

test.each([
  ['nothing', null],
  ['a text', 'atrium-preview:ready'],
  ['another type', { type: 'ready' }],
  ['a level that is none', { type: 'atrium-preview:console', level: '__proto__', text: '' }],
  ['a text that is too long', { type: 'atrium-preview:console', level: 'log', text: 'x'.repeat(4001) }],
  ['a script as an address', { type: 'atrium-preview:link', address: 'javascript:alert(1)' }],
  ['a page as an address', { type: 'atrium-preview:link', address: 'data:text/html,x' }],
  ['a path', { type: 'atrium-preview:link', address: '/api/users/me' }],
  ['a file that is a text', { type: 'atrium-preview:save', name: 'x', blob: 'x' }],
  ['a number to copy', { type: 'atrium-preview:copy', text: 1 }],
])('%s is no message', (_name, data) => {
  expect(readMessage(data)).toBeNull()
})
