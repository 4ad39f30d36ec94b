/**
 * `npm test`: everything that CI runs. The tests of contract, server and web (on SQLite, and what stores and races do on a
 * real PostgreSQL server that they start, where every other statement is prepared); beside them, so that two cores are
 * busy, the checks, the build, and the journeys in a real Chromium. All run; the last line counts.
 *
 * `npm run test:all` runs every test on both databases, the long ones, whose names end in `.long.test.ts`, and the journeys
 * that are `onlyInAll`. `npm test -- --changed` runs the unit tests that the files
 * changed since main (or since the last commit, on main) reach, and the journeys of changed features.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { changedSince, journeysOf } from './changed.mjs'
import { failuresOfJourneys, failuresOfTests } from './failures.mjs'
import { ensureBuilt, ensureInstalled, ensureServerBuilt, environment, root, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
const results = join(root, 'node_modules', '.cache', 'results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
if (process.argv.includes('--all')) process.env['ATRIUM_TEST_ALL'] = '1'
const unitFile = join(results, 'unit.json')
const journeyFile = join(results, 'journeys.json')
const began = performance.now()

const changes = process.argv.includes('--changed') ? changedSince() : null
if (changes) console.log(`${changes.files.length} files changed since ${changes.since.slice(0, 12)}.`)

/** Runs a command; each of its lines says whose it is, as several run at once. */
const tell = (name, command, args, extra = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment(extra) })
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => console.log(`${name.padEnd(8)} ${line}`))
    child.on('error', (problem) => {
      console.error(`${command}: ${problem.message}`)
      resolve(127)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })

const seconds = {}
const timed = async (name, work) => {
  const from = performance.now()
  const code = await work()
  seconds[name] = Math.round((performance.now() - from) / 1000)
  return code
}

/** What tests start and kill whole processes of: it starts in half the time of the sources. */
const bundle = join(root, 'server', 'dist', 'main.js')
const unit = async () => {
  await bundled
  const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitFile}`]
  const which = changes ? ['--changed', changes.since, '--passWithNoTests'] : []
  return tell('tests', 'vitest', ['run', ...which, ...outputs], changes ? {} : { ATRIUM_TEST_MAIN: bundle })
}
const walk = async () => {
  await bundled
  const which = changes ? journeysOf(changes.files) : []
  if (which?.length === 0 && changes) return 0
  await ensureBuilt()
  return await tell('journeys', 'playwright', ['test', '--config', 'e2e/playwright.config.ts', ...(which ?? [])], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: journeyFile,
    // Node takes the types off by itself; Playwright's own way costs twenty seconds of a processor in a fresh clone.
    PW_DISABLE_TS_ESM: '1',
  })
}

const bundled = changes ? null : ensureServerBuilt()
const [tests, others] = await Promise.all([
  timed('tests', unit),
  (async () => [
    await timed('checks', () =>
      tell('checks', node, ['tools/check.mjs', '--code', ...(changes ? [] : ['--beside-new-area'])]),
    ),
    await timed('journeys', walk),
  ])(),
])
const [checks, journeys] = others

const noUnit = { numPassedTests: 0, numFailedTests: changes && tests === 0 ? 0 : 1 }
const noWalk = { expected: 0, unexpected: changes && journeys === 0 ? 0 : 1 }
const ran = existsSync(unitFile) ? JSON.parse(readFileSync(unitFile, 'utf8')) : noUnit
const journeyReport = existsSync(journeyFile) ? JSON.parse(readFileSync(journeyFile, 'utf8')) : null
const walked = journeyReport?.stats ?? noWalk
const passed = ran.numPassedTests + walked.expected
const failed = ran.numFailedTests + walked.unexpected
const skipped = (ran.numPendingTests ?? 0) + (walked.skipped ?? 0)
const codes = { checks, tests, journeys }
const broken = Object.values(codes).filter((code) => code !== 0).length

const part = ([name, code]) => `${name} ${code === 0 ? 'ok' : 'FAILED'} (${seconds[name]} s)`
console.log(
  `\n${Object.entries(codes).map(part).join(', ')}; ${Math.round((performance.now() - began) / 1000)} s in all`,
)
// Three outputs are mixed above: what failed is found at the end, where whoever reads a log begins.
for (const failure of [...failuresOfTests(ran), ...failuresOfJourneys(journeyReport)])
  console.log(`\nFAILED ${failure}`)
console.log(`${passed} passed, ${Math.max(failed, broken)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(broken === 0 && failed === 0 ? 0 : 1)
