import { expect, test } from 'vitest'
import { addTyped, changesBetween, choicesOf } from './choice.ts'

const before = choicesOf(['Home', 'money', 'zoo'], [['money', 'Home'], ['money']])

test('tags are those of the chats and the rest, each with whether all, some or none of the chats have it', () => {
  expect(before).toEqual([
    { name: 'money', on: true },
    { name: 'Home', on: 'some' },
    { name: 'zoo', on: false },
  ])
})

test('what is typed is chosen, whatever its case, and only what differs is saved', () => {
  const after = addTyped(before, ' new one, HOME,,#Zoo ').map((tag) =>
    tag.name === 'money' ? { ...tag, on: false } : tag,
  )
  expect(after.map(({ name }) => name)).toEqual(['new one', 'money', 'Home', 'zoo'])
  expect(changesBetween(before, after)).toEqual({ add: ['new one', 'Home', 'zoo'], remove: ['money'] })
  expect(changesBetween(before, before)).toEqual({ add: [], remove: [] })
})
