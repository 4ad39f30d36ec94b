import { expect, test } from 'vitest'
import { readPeople } from './read.ts'

test('columns are found by their names, in any order, and others are left out', () => {
  const table = 'E-Mail,Shoe size,User name,Groups,Display_Name\nann@x.org,39,ann,Team; Board,Ann Lee\n,,ben,,\n'
  expect(readPeople(table)).toEqual({
    fault: null,
    people: [
      { username: 'ann', displayName: 'Ann Lee', email: 'ann@x.org', role: '', groups: ['Team', 'Board'] },
      { username: 'ben', displayName: '', email: '', role: '', groups: [] },
    ],
  })
})

test('what was marked as text on its way out is read as it was', () => {
  const read = readPeople("username,display_name\nann,'=Ann\n")
  expect(read.fault === null && read.people[0]?.displayName).toBe('=Ann')
})

test.each([
  ['nothing in it', '', 'empty'],
  ['no row below the names', 'username,email\n', 'empty'],
  ['no column that says who', 'role,groups\nuser,Team\n', 'columns'],
  ['more people than at once', `username\n${'x\n'.repeat(501)}`, 'too-many'],
])('a table with %s says so', (_name, text, fault) => {
  expect(readPeople(text)).toEqual({ fault })
})
