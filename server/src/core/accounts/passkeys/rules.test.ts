import { expect, test } from 'vitest'
import { relyingPartyOf } from './rules.ts'

const of = (given: { rpId?: string; baseUrl?: string }, origin: string) =>
  relyingPartyOf({ rpId: given.rpId, baseUrl: given.baseUrl ? new URL(given.baseUrl) : undefined }, origin)

test('a passkey is for the fixed name, else the host of the base address, else that of the request', () => {
  expect(of({}, 'https://chat.example.org:8443')).toEqual({
    id: 'chat.example.org',
    origin: 'https://chat.example.org:8443',
  })
  expect(of({ baseUrl: 'https://chat.example.org' }, 'https://other.example.org')).toEqual({
    id: 'chat.example.org',
    origin: 'https://chat.example.org',
  })
  expect(of({ rpId: 'example.org', baseUrl: 'https://chat.example.org' }, 'http://10.0.0.1')).toEqual({
    id: 'example.org',
    origin: 'https://chat.example.org',
  })
})

test('this machine needs no https, everything else does', () => {
  expect(of({}, 'http://localhost:3001')).toEqual({ id: 'localhost', origin: 'http://localhost:3001' })
  expect(of({}, 'http://atrium.localhost:3001')?.id).toBe('atrium.localhost')
  expect(of({}, 'http://chat.example.org')).toBeNull()
  expect(of({}, 'http://notlocalhost')).toBeNull()
  expect(of({ baseUrl: 'http://chat.example.org' }, 'https://chat.example.org')).toBeNull()
})

test('addresses of numbers, and names that are not above the own one, have no passkeys', () => {
  for (const origin of ['https://10.0.0.1', 'https://[::1]', 'http://127.0.0.1:3001', 'nothing at all'])
    expect(of({}, origin), origin).toBeNull()
  expect(of({ rpId: 'evil.org' }, 'https://chat.example.org')).toBeNull()
  expect(of({ rpId: 'ample.org' }, 'https://chat.example.org')).toBeNull()
  expect(of({ rpId: 'chat.example.org' }, 'https://example.org')).toBeNull()
})
