import { expect, test } from 'vitest'
import { chooseHeir, isEmoji, mayRemove, readMentions } from './rules.ts'

test('a message names whom it calls by @, without the stop behind the name, and never from code or an address', () => {
  const cases: [string, string[], boolean][] = [
    ['@ann, look', ['ann'], false],
    ['Ask @ann.', ['ann.', 'ann'], false],
    ['(@Ann-Marie)', ['Ann-Marie'], false],
    ['مرحبا @سارة!', ['سارة'], false],
    ['@channel: lunch', [], true],
    ['write to ann@example.org', [], false],
    ['`@ann` and ```\n@ben\n```', [], false],
    ['@ann@example.org', ['ann@example.org'], false],
    ['@@ann', [], false],
    ['@', [], false],
  ]
  for (const [text, names, channel] of cases)
    expect([text, readMentions(text)]).toEqual([text, { names, channel, here: false }])
  expect(readMentions('@here, @Channel')).toEqual({ names: [], channel: true, here: true })
})

test('a message of nothing but names names no more than it may', () => {
  const many = Array.from({ length: 500 }, (_, at) => `@person${at}`).join(' ')
  expect(readMentions(many).names).toHaveLength(100)
})

test('moderators remove members, and owners everybody', () => {
  const roles = ['owner', 'moderator', 'member'] as const
  const allowed = roles.flatMap((role) => roles.filter((other) => mayRemove(role, other)).map((o) => `${role} ${o}`))
  expect(allowed).toEqual(['owner owner', 'owner moderator', 'owner member', 'moderator member'])
})

test('the longest-serving moderator takes over, else the longest-serving member', () => {
  const one = (id: string, role: 'moderator' | 'member') => ({ id, role })
  expect(chooseHeir([one('a', 'member'), one('b', 'moderator'), one('c', 'moderator')])?.id).toBe('b')
  expect(chooseHeir([one('a', 'member'), one('b', 'member')])?.id).toBe('a')
  expect(chooseHeir([])).toBeUndefined()
})

test('an emoji is one, whatever it is put together from', () => {
  for (const is of ['👍', '❤️', '👩‍💻', '🇵🇹', '1️⃣', '👍🏽']) expect([is, isEmoji(is)]).toEqual([is, true])
  for (const not of ['', 'a', '1', '👍👍', '👍 ', ':)', '<b>']) expect([not, isEmoji(not)]).toEqual([not, false])
})
