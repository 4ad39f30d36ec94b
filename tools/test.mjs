/**
 * `npm test`: everything that CI runs. The checks, the tests of contract, server and web (on SQLite, and what stores and
 * races do on a real PostgreSQL server that they start, where every other statement is prepared), the build, and the
 * journeys in a real Chromium. All run; the last line counts. `npm run test:all` runs every test on both databases.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, environment, root, run, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
const results = join(root, 'node_modules', '.cache', 'results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
if (process.argv.includes('--all')) process.env['ATRIUM_TEST_DATABASES'] = 'both'
const unit = join(results, 'unit.json')
const journeys = join(results, 'journeys.json')

const codes = [await run(node, ['tools/check.mjs', '--code'])]
codes.push(await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${unit}`]))
await ensureBuilt()
codes.push(
  await run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    env: environment({ PLAYWRIGHT_JSON_OUTPUT_FILE: journeys }),
  }),
)

const tests = existsSync(unit) ? JSON.parse(readFileSync(unit, 'utf8')) : { numPassedTests: 0, numFailedTests: 1 }
const walked = existsSync(journeys) ? JSON.parse(readFileSync(journeys, 'utf8')).stats : { expected: 0, unexpected: 1 }
const passed = tests.numPassedTests + walked.expected + (walked.flaky ?? 0)
const failed = tests.numFailedTests + walked.unexpected
const skipped = (tests.numPendingTests ?? 0) + (walked.skipped ?? 0)
const broken = codes.filter((code) => code !== 0).length

console.log(
  `\nchecks ${codes[0] === 0 ? 'ok' : 'FAILED'}, tests ${codes[1] === 0 ? 'ok' : 'FAILED'}, journeys ${codes[2] === 0 ? 'ok' : 'FAILED'}`,
)
if (walked.flaky) console.log(`${walked.flaky} of the journeys needed a second try; see above which.`)
console.log(`${passed} passed, ${Math.max(failed, broken)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(broken === 0 && failed === 0 ? 0 : 1)
