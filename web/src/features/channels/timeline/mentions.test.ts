import type { ChannelMention } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import { splitMentions } from './mentions.ts'

const person = (name: string): ChannelMention => ({ kind: 'person', user: { id: name, name, avatar: null } })
const words = (text: string, mentions: ChannelMention[]) =>
  splitMentions(text, mentions).map(({ words: part, mention }) => (mention ? `[${part}]` : part))

test('the people whom the server has found are marked by their user names, whatever case they are written in', () => {
  expect(words('Hi @Ben, ask @ann.', [person('Ben Lee (ben)'), person('ann')])).toEqual([
    'Hi ',
    '[@Ben]',
    ', ask ',
    '[@ann]',
    '.',
  ])
})

test('nobody else is marked: neither a part of another word, nor an address, nor who was not found', () => {
  expect(words('@benny mail me@ben.org @carol', [person('ben')])).toEqual(['@benny mail me@ben.org @carol'])
})

test('the longest name wins, and a call for everybody is one', () => {
  expect(words('@ann.lee @channel', [person('ann'), person('ann.lee'), { kind: 'channel' }])).toEqual([
    '[@ann.lee]',
    ' ',
    '[@channel]',
  ])
})

test('a text without names is one piece', () => {
  expect(words('', [])).toEqual([])
  expect(words('plain', [])).toEqual(['plain'])
})
