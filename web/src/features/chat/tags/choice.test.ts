import { expect, test } from 'vitest'
import { changeNames, changesBetween, choicesOf, namesIn, withChanges } from './choice.ts'

const before = choicesOf(['Home', 'money', 'zoo'], [['money', 'Home'], ['money']])

test('tags are those of the chats and the rest, each with whether all, some or none of the chats have it', () => {
  expect(before).toEqual([
    { name: 'money', on: true },
    { name: 'Home', on: 'some' },
    { name: 'zoo', on: false },
  ])
})

test('what is typed is chosen, whatever its case, and only what differs is saved', () => {
  const changes = changeNames(changeNames([], ['money'], false), namesIn(' new one, HOME,,#Zoo '), true)
  const after = withChanges(before, changes)
  expect(after.map(({ name }) => name)).toEqual(['new one', 'money', 'Home', 'zoo'])
  expect(changesBetween(before, after)).toEqual({ add: ['new one', 'Home', 'zoo'], remove: ['money'] })
  expect(changesBetween(before, before)).toEqual({ add: [], remove: [] })
})

test('what was changed while tags were loading is kept when they are there', () => {
  const changes = changeNames(changeNames([], ['zoo', 'new one'], true), ['new one'], false)
  expect(withChanges(choicesOf([], [[]]), changes).map(({ name }) => name)).toEqual(['zoo', 'new one'])
  expect(withChanges(choicesOf(['Home', 'Zoo'], [[]]), changes)).toEqual([
    { name: 'new one', on: false },
    { name: 'Home', on: false },
    { name: 'Zoo', on: true },
  ])
})
