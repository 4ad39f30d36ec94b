import { expect, test } from 'vitest'
import { faultsOfLines, toPlainLine } from './import-rules.ts'

const line = (more: Partial<Parameters<typeof toPlainLine>[0]>) =>
  Object.assign({ username: 'ann', displayName: '', email: '', role: '', groups: [] }, more)

test.each([
  ['a name alone', {}, []],
  ['no name', { username: ' ' }, [{ field: 'username', code: 'missing' }]],
  ['a name with a space', { username: 'ann lee' }, [{ field: 'username', code: 'invalid' }]],
  ['an address that is none', { email: 'ann' }, [{ field: 'email', code: 'invalid' }]],
  ['an unknown role', { role: 'boss' }, [{ field: 'role', code: 'invalid' }]],
  ['a role in capitals', { role: ' ADMIN ' }, []],
  ['a display name that is too long', { displayName: 'x'.repeat(121) }, [{ field: 'displayName', code: 'invalid' }]],
])('of an account, %s', (_name, more, faults) => {
  expect(faultsOfLines([line(more)], 'accounts')).toEqual([faults])
})

test('an invitation wants an address, and no name', () => {
  expect(faultsOfLines([line({ username: '' }), line({ email: 'a@x.org' })], 'invitations')).toEqual([
    [{ field: 'email', code: 'missing' }],
    [],
  ])
})

test('what stands in two lines is right in the first alone, whatever its capitals', () => {
  const lines = [line({ email: 'a@x.org' }), line({ username: 'Ann', email: 'A@X.org' }), line({ username: 'ben' })]
  expect(faultsOfLines(lines, 'accounts')).toEqual([
    [],
    [
      { field: 'username', code: 'repeated' },
      { field: 'email', code: 'repeated' },
    ],
    [],
  ])
})

test('spaces around values and empty groups go', () => {
  expect(toPlainLine(line({ displayName: ' ', email: ' a@x.org ', groups: [' Team ', '', 'Team'] }))).toEqual({
    username: 'ann',
    displayName: null,
    email: 'a@x.org',
    role: 'user',
    groups: ['Team'],
  })
})
