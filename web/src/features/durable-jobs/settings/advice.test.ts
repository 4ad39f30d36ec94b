import { jobFailureCodes } from '@atrium/contract/jobs'
import { expect, test } from 'vitest'
import words from '../locales/en.json' with { type: 'json' }
import { adviceOf, hasAdvice } from './advice.ts'

test('what to do about it is said for every code of the closed list, and for any other', () => {
  expect(jobFailureCodes.filter((code) => !hasAdvice(code))).toEqual([])
  const advices: Readonly<Record<string, string>> = words.advice
  for (const code of [...jobFailureCodes, 'unheard_of']) expect(advices[adviceOf(code)], code).toBeTruthy()
})
