import { jobKinds } from '@atrium/contract/jobs'
import { expect, test } from 'vitest'
import words from './locales/en.json' with { type: 'json' }

test('every kind of job of the contract has words, and no other', () => {
  expect(Object.keys(words).sort()).toEqual(jobKinds.map((kind) => kind.replaceAll('.', '_')).toSorted())
})
