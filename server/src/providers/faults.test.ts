import { expect, test } from 'vitest'
import { refusedByStatus } from './faults.ts'

const parameterOf = (error: unknown): string | null =>
  refusedByStatus(400, JSON.stringify({ error }), { hasKey: true }).parameter

test('names a refused parameter, and passes no other word of a provider', () => {
  expect(parameterOf({ param: 'messages[0].content' })).toBe('messages[0].content')
  expect(parameterOf({ message: 'context_management: Extra inputs are not permitted' })).toBe('context_management')
  expect(parameterOf({ details: [{ fieldViolations: [{ field: 'contents' }] }] })).toBe('contents')
  expect(parameterOf({ param: 'the key sk-proj-Abc123Def456 is not valid here' })).toBeNull()
  expect(parameterOf({ message: 'Sk-Proj-Abc123: not valid' })).toBeNull()
})
