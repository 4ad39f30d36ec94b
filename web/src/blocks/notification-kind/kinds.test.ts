import { notificationKinds } from '@atrium/contract/notifications'
import { expect, test } from 'vitest'
import words from './locales/en.json' with { type: 'json' }

test('every kind of notification of the contract has a name, and no other', () => {
  expect(Object.keys(words.name).sort()).toEqual(notificationKinds.toSorted())
})
