import { expect, test } from 'vitest'
import { applyChange, readDraft } from './draft.ts'

test('a new artifact grows with what is written of the call', () => {
  const args = JSON.stringify({ kind: 'html', title: 'Shop', content: '<h1>Shop</h1>' })
  expect(readDraft('create_artifact', args.slice(0, 8))).toBe(null)
  expect(readDraft('create_artifact', args.slice(0, args.indexOf('Shop</h1>') + 2))).toEqual({
    kind: 'html',
    title: 'Shop',
    content: '<h1>Sh',
    language: null,
  })
  expect(readDraft('read_artifact', args)).toBe(null)
  expect(readDraft('create_artifact', '{"kind":"exe","title":"x"}')).toBe(null)
})

test('a change is made as far as it is written, and only where its passage stands', () => {
  const before = { kind: 'html', title: 'Shop', content: 'Open. Open.', language: null } as const
  const change = (edits: unknown, cut?: string) => {
    const args = JSON.stringify({ id: 'a', edits })
    const draft = readDraft('update_artifact', cut ? args.slice(0, args.indexOf(cut) + cut.length) : args)
    return draft && 'change' in draft ? applyChange(before, draft.change).content : null
  }
  const edit = { old_text: 'Open', new_text: 'Closed $&' }
  expect(change([edit])).toBe('Closed $&. Open.')
  expect(change([edit], 'Clo')).toBe('Clo. Open.')
  expect(change([edit], 'Ope')).toBe('Open. Open.')
  expect(change([{ ...edit, everywhere: true }])).toBe('Closed $&. Closed $&.')
  expect(change([{ ...edit, old_text: 'Shut' }])).toBe('Open. Open.')
  expect(change(undefined)).toBe('Open. Open.')
})
