/** What failed in a run of the tests, in words, from the reports that the two runners write. */
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './runtime.mjs'

const longest = 1500
const short = (message) =>
  stripVTControlCharacters(message ?? '')
    .trim()
    .slice(0, longest)

/** Each failed test of a report of Vitest: its file, its name, the beginning of its message. */
export const failuresOfTests = (report) =>
  (report?.testResults ?? []).flatMap((file) => {
    const name = relative(root, file.name)
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    // A file that does not load has a message of its own and no tests.
    if (tests.length === 0 && file.status === 'failed') return [`${name}\n${short(file.message)}`]
    return tests.map((test) => `${name} › ${test.fullName}\n${short(test.failureMessages.join('\n'))}`)
  })

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

/** Each failed journey of a report of Playwright: its file, its name, the beginning of its message. */
export const failuresOfJourneys = (report) => [
  ...(report?.errors ?? []).map((error) => `journeys\n${short(error.message)}`),
  ...specsOf({ suites: report?.suites })
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const errors = spec.tests.flatMap((test) => test.results).flatMap((result) => result.errors)
      return `${spec.file}:${spec.line} › ${spec.title}\n${short(errors.map((error) => error.message).join('\n'))}`
    }),
]
