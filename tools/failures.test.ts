import { describe, expect, it } from 'vitest'
import { failuresOfJourneys, failuresOfTests } from './failures.mjs'

describe('what failed', () => {
  it('names the file, the test and the reason of each failed test', () => {
    const failed = {
      status: 'failed',
      fullName: 'a list is sorted',
      failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m'],
    }
    const passed = { status: 'passed', fullName: 'a list is empty', failureMessages: [] }
    const testResults = [{ name: 'list.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] }]
    expect(failuresOfTests({ testResults })).toEqual([
      expect.stringMatching(/list\.test\.ts › a list is sorted\nexpected 1 to be 2$/),
    ])
  })

  it('names a file that does not load', () => {
    const testResults = [{ name: 'list.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] }]
    expect(failuresOfTests({ testResults })).toEqual([expect.stringMatching(/list\.test\.ts\nSyntaxError$/)])
  })

  it('finds failed journeys in groups of groups, and errors outside of all', () => {
    const error = { message: 'element not found' }
    const spec = (title: string, ok: boolean) => ({
      file: 'chat.spec.ts',
      line: 7,
      title,
      ok,
      tests: [{ results: [{ errors: ok ? [] : [error] }] }],
    })
    const report = {
      errors: [{ message: 'a worker ended' }],
      suites: [{ specs: [spec('one', true)], suites: [{ specs: [spec('two', false)] }] }],
    }
    expect(failuresOfJourneys(report)).toEqual(['journeys\na worker ended', 'chat.spec.ts:7 › two\nelement not found'])
  })

  it('is nothing where there is no report', () => {
    expect([...failuresOfTests(null), ...failuresOfJourneys(null)]).toEqual([])
  })
})
