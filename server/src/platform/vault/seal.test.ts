import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { keyNumberOf, openSealed, sealOverhead, sealPlain } from './seal.ts'

const key = () => createSecretKey(randomBytes(32))
const ring = (keys = new Map([[1, key()]])) => createKeyring(keys)
const damaged = expect.objectContaining({ kind: 'damaged' })

/** Well-formed text: a lone half of a surrogate pair has no bytes of its own. */
const text = fc.string({ unit: 'binary', maxLength: 2000 })

describe('sealed bytes', () => {
  test('open to what was sealed, whatever it was', () => {
    const keyring = ring()
    fc.assert(
      fc.property(text, fc.string(), (plain, rowId) => {
        expect(keyring.open('chats.title', rowId, keyring.seal('chats.title', rowId, plain))).toBe(plain)
      }),
    )
  })

  test('never look the same twice, and hold none of the text', () => {
    const keyring = ring()
    const plain = 'the planted sentence'
    const [first, second] = [keyring.seal('a.b', '1', plain), keyring.seal('a.b', '1', plain)]
    expect(Buffer.compare(first, second)).not.toBe(0)
    expect(Buffer.from(first).includes('planted')).toBe(false)
    expect(first.byteLength).toBe(Buffer.byteLength(plain) + sealOverhead)
  })

  test('do not open when moved to another row, column or table', () => {
    const keyring = ring()
    const sealed = keyring.seal('messages.text', 'row-1', 'x')
    expect(() => keyring.open('messages.text', 'row-2', sealed)).toThrow(damaged)
    expect(() => keyring.open('messages.draft', 'row-1', sealed)).toThrow(damaged)
    expect(() => keyring.open('drafts.text', 'row-1', sealed)).toThrow(damaged)
    expect(() => keyring.open('messages.text\0row', '-1', sealed)).toThrow(damaged)
    expect(keyring.open('messages.text', 'row-1', sealed)).toBe('x')
  })

  test('do not open with the key of somebody else, even under the same number', () => {
    const sealed = ring().seal('a.b', '1', 'x')
    expect(() => ring().open('a.b', '1', sealed)).toThrow(damaged)
  })

  test('do not open when any bit was changed', () => {
    const keyring = ring()
    const sealed = keyring.seal('a.b', '1', 'some words')
    for (let bit = 0; bit < sealed.byteLength * 8; bit++) {
      const changed = Uint8Array.from(sealed)
      const at = bit >> 3
      changed[at] = (changed[at] ?? 0) ^ (1 << (bit & 7))
      expect(() => keyring.open('a.b', '1', changed)).toThrow(damaged)
    }
  })

  test('do not open when cut, grown or made up', () => {
    const keyring = ring()
    const sealed = keyring.seal('a.b', '1', 'some words')
    for (let length = 0; length < sealed.byteLength; length++) {
      expect(() => keyring.open('a.b', '1', sealed.subarray(0, length))).toThrow(damaged)
    }
    expect(() => keyring.open('a.b', '1', Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(damaged)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => keyring.open('a.b', '1', bytes)).toThrow(damaged)
      }),
    )
  })

  test('carry the number of their key: the newest key seals, every key opens', () => {
    const keys = new Map([[1, key()]])
    const before = createKeyring(keys).seal('a.b', '1', 'old')
    const keyring = createKeyring(new Map([...keys, [2, key()]]))
    const after = keyring.seal('a.b', '1', 'new')
    expect([keyNumberOf(before), keyNumberOf(after)]).toEqual([1, 2])
    expect(keyring.open('a.b', '1', before)).toBe('old')
    expect(keyring.open('a.b', '1', after)).toBe('new')
    expect(() => createKeyring(keys).open('a.b', '1', after)).toThrow(damaged)
  })

  test('large bytes are sealed and opened on another thread, to the same result', async () => {
    const keyring = ring()
    for (const size of [0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000]) {
      const plain = new Uint8Array(randomBytes(size))
      const sealed = await keyring.sealBytes('files.bytes', '1', plain)
      const opened = await keyring.openBytes('files.bytes', '1', sealed)
      expect(Buffer.compare(opened, plain)).toBe(0)
      // The bytes of the caller were copied, not taken away.
      expect(plain).toHaveLength(size)
      await expect(keyring.openBytes('files.bytes', '2', sealed)).rejects.toThrow(/cannot be opened/)
    }
  })

  test('bytes inside a larger buffer are sealed and opened alone', async () => {
    const keyring = ring()
    const pool = randomBytes(1000)
    const sealed = await keyring.sealBytes('a.b', '1', pool.subarray(100, 200))
    const shifted = Buffer.concat([Buffer.alloc(7), sealed]).subarray(7)
    expect(Buffer.compare(await keyring.openBytes('a.b', '1', shifted), pool.subarray(100, 200))).toBe(0)
  })

  test('a sealed value cannot claim another key than the one it was sealed with', () => {
    const shared = key()
    const sealed = sealPlain(shared, 1, 'a.b', '1', Buffer.from('x'))
    const relabelled = Uint8Array.from(sealed)
    relabelled[4] = 2
    expect(() => openSealed(() => shared, 'a.b', '1', relabelled)).toThrow(damaged)
  })
})
