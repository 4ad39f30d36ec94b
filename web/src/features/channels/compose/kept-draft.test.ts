import { expect, test } from 'vitest'
import { chooseDraft, type KeptDraft, parseKept } from './kept-draft.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString()
const local = (more: Partial<KeptDraft> = {}): KeptDraft => ({ content: 'here', saved: true, at: at(5), ...more })
const server = (minute: number) => ({ content: 'there', updatedAt: at(minute) })

test('the newer text counts, but what is typed just now is never lost', () => {
  expect(chooseDraft(null, server(1), false)?.content).toBe('there')
  expect(chooseDraft(local(), server(1), false)?.content).toBe('there')
  expect(chooseDraft(local(), null, false)).toBeNull()
  const typed = local({ saved: false })
  expect(chooseDraft(typed, server(1), false)?.content).toBe('here')
  expect(chooseDraft(typed, server(9), false)?.content).toBe('there')
  expect(chooseDraft(typed, server(9), true)?.content).toBe('here')
  expect(chooseDraft(typed, null, false)?.content).toBe('here')
})

test('a text from before drafts had times is read as one that only this browser has', () => {
  expect(parseKept('plain words')).toMatchObject({ content: 'plain words', saved: false })
  expect(parseKept('"quoted"')).toMatchObject({ content: '"quoted"', saved: false })
  expect(parseKept(JSON.stringify(local()))).toEqual(local())
  expect(parseKept(null)).toBeNull()
})
