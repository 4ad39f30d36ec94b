import { expect, test } from 'vitest'
import { ProviderFailure } from '../../../providers/types.ts'
import { refusalOf } from './refusals.ts'

test.each([
  ['a request that is larger than the model takes', new ProviderFailure('too_large', 'x', 413), 413, 'too_large'],
  ['a request that its provider finds too large', new ProviderFailure('rejected', 'x', 413), 413, 'too_large'],
  ['an answer that is too large', new ProviderFailure('too_large', 'x'), 502, 'provider_failed'],
  ['a parameter that its provider refuses', new ProviderFailure('rejected', 'x', 400), 400, 'validation_failed'],
  ['an address that is not there', new ProviderFailure('rejected', 'x', 404), 404, 'model_not_found'],
  ['a key that its provider refuses', new ProviderFailure('rejected', 'x', 401), 502, 'provider_rejected'],
  ['a provider that is broken', new ProviderFailure('rejected', 'x', 500), 502, 'provider_failed'],
  ['a provider that is busy', new ProviderFailure('overloaded', 'x', 429), 429, 'rate_limited'],
])('%s is refused with its own status', (_, failure, status, code) => {
  expect(refusalOf(failure)).toMatchObject({ status, code, message: 'x' })
})

test('what is no failure of a provider passes as it is', () => {
  const bug = new Error('a bug')
  expect(refusalOf(bug)).toBe(bug)
})
