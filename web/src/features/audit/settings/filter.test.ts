import { languageCodes } from '@atrium/contract/languages'
import { readFileSync } from 'node:fs'
import { auditActions } from '@atrium/contract/audit'
import { expect, test } from 'vitest'
import { actionsOf, type ActionKind, actionKinds, toQuery } from './filter.ts'

test('every action is in exactly one kind', () => {
  const listed = (Object.keys(actionKinds) as ActionKind[]).flatMap(actionsOf)
  expect(listed.toSorted()).toEqual([...auditActions].toSorted())
})

test('every action has words in every language, and none has words for nothing', () => {
  for (const language of languageCodes) {
    const file = new URL(`../locales/${language}.json`, import.meta.url)
    const { action } = JSON.parse(readFileSync(file, 'utf8')) as { action: Record<string, string> }
    expect(Object.keys(action).toSorted()).toEqual(auditActions.map((each) => each.replaceAll('.', '_')).toSorted())
  }
})

test('a choice becomes a question, and nothing chosen asks for everything', () => {
  const now = Date.UTC(2026, 5, 15, 12, 0, 30)
  expect(toQuery({ kind: 'all', result: 'all', span: 'all', actor: null, text: ' ' }, now, String)).toEqual({})
  expect(
    toQuery(
      { kind: 'credentials', result: 'denied', span: 'day', actor: { id: 'a', name: 'Ann' }, text: '' },
      now,
      String,
    ),
  ).toEqual({
    action:
      'session.revoke,session.revoke-others,token.create,token.update,token.revoke,automation.secret-create,automation.secret-delete,push-device.add,push-device.remove',
    result: 'denied',
    actor: 'a',
    after: '2026-06-14T12:00:00.000Z',
  })
})

test('words are looked for in entries, and in what actions are called on screen', () => {
  const wordsOf = (action: string) => (action === 'auth.login' ? 'Sign-in' : 'Something else')
  const choice = { kind: 'all', result: 'all', span: 'all', actor: null, text: ' sign-IN ' } as const
  expect(toQuery(choice, 0, wordsOf)).toEqual({ q: 'sign-IN', qActions: 'auth.login' })
})
