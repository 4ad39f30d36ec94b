/**
 * `npm run faults`: plants each fault of `tools/faults/*.patch`, one at a time, in a copy of the tree, and runs the test
 * that has to fail. Fails when a fault is caught by no test, or by another one than its header names, when a patch no
 * longer applies, and when a named test fails without its fault. `npm run faults -- <name>…` tries some of them,
 * `--clean` looks only whether the named tests pass without any fault.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyTree } from './copy-tree.mjs'
import { ensureInstalled, environment, root, runtime, stop } from './runtime.mjs'

const { values, positionals } = parseArgs({ options: { clean: { type: 'boolean' } }, allowPositionals: true })
const folder = join(root, 'tools', 'faults')
const e2eConfig = 'e2e/playwright.config.ts'

ensureInstalled()
const node = runtime()
const faults = readFaults()
const tree = copyTree('atrium-faults-')
process.on('exit', () => rmSync(tree, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const broken = new Set(checkClean())
const rows = values.clean ? [] : faults.filter((fault) => !broken.has(fault)).map(tryFault)
const uncaught = rows.filter(({ by }) => by === null).length
if (!values.clean) console.log(`\n${rows.length - uncaught} of ${faults.length} faults were caught.`)
if (broken.size > 0) console.log(`${broken.size} of the named tests fail without any fault, or do not exist.`)
process.exit(uncaught + broken.size > 0 ? 1 : 0)

/** The faults that were asked for; stops with a sentence where a header is missing. */
function readFaults() {
  const wanted = positionals.map((name) => basename(name, '.patch'))
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.patch'))
    .map((name) => basename(name, '.patch'))
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown) stop(`There is no fault ${unknown} in tools/faults.`)
  return names
    .filter((name) => wanted.length === 0 || wanted.includes(name))
    .map((name) => {
      const patch = join(folder, `${name}.patch`)
      const [what, caught] = readFileSync(patch, 'utf8').split('\n')
      const found = /^# caught by: (\S+) -(?:t|g) "(.+)"$/.exec(caught ?? '')
      if (!found || !what?.startsWith('# '))
        stop(`tools/faults/${name}.patch: write "# <what is wrong>", then "# caught by: <file> -t \\"<test>\\"".`)
      const [, file, test] = found
      return { name, patch, what: what.slice(2), file, test, isJourney: file.startsWith('e2e/journeys/') }
    })
}

/** Runs the named tests without a fault, all at once; gives the faults whose test does not pass, and says which. */
function checkClean() {
  const bad = []
  for (const isJourney of [false, true]) {
    const some = faults.filter((fault) => fault.isJourney === isJourney)
    if (some.length === 0) continue
    const files = [...new Set(some.map(({ file }) => file))]
    // A busy machine may fail a sound test; where a fault is planted, nothing is tried twice.
    const results = runTests(isJourney, files, some.map(({ test }) => escaped(test)).join('|'), 2)
    for (const fault of some) {
      const own = results.filter((result) => isNamed(result, fault))
      if (own.length > 0 && own.every(({ status }) => status === 'passed')) continue
      console.error(`FAILED without the fault ${fault.name}: ${fault.file} -t "${fault.test}"`)
      bad.push(fault)
    }
  }
  console.log(`${faults.length - bad.length} of ${faults.length} named tests pass without a fault.\n`)
  return bad
}

function tryFault(fault) {
  const began = performance.now()
  if (!apply(fault, [])) return row(null, 'the patch does not apply')
  try {
    const results = runTests(fault.isJourney, [fault.file], escaped(fault.test), 0)
    const failed = results.find((result) => isNamed(result, fault) && result.status === 'failed')
    if (failed) return row(failed.name, null)
    return row(null, results.length === 0 ? 'no test ran' : `not caught by ${fault.file} -t "${fault.test}"`)
  } finally {
    apply(fault, ['--reverse'])
  }

  function row(by, why) {
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5)
    console.log(
      `${by === null ? 'FAILED' : 'caught'} ${seconds} s  ${fault.name.padEnd(36)} ${by === null ? why : `${fault.file}: ${by}`}`,
    )
    return { by }
  }
}

function apply({ name, patch }, options) {
  const done = spawnSync('git', ['apply', '--whitespace=nowarn', ...options, patch], { cwd: tree, encoding: 'utf8' })
  if (done.status !== 0) console.error(`tools/faults/${name}.patch: ${done.stderr.trim()}`)
  return done.status === 0
}

/** Runs tests of the copy by a pattern; gives name, file and status of each that ran. */
function runTests(isJourney, files, pattern, retries) {
  const report = join(tree, 'node_modules', '.faults.json')
  rmSync(report, { force: true })
  const done = isJourney ? runJourneys(files, pattern, retries, report) : runVitest(files, pattern, retries, report)
  if (!existsSync(report)) {
    console.error(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim().split('\n').slice(-20).join('\n'))
    return []
  }
  const json = JSON.parse(readFileSync(report, 'utf8'))
  return isJourney ? journeysOf(json) : [...testsOf(json), ...refusedOf(`${done.stdout}\n${done.stderr}`)]
}

function runVitest(files, pattern, retries, report) {
  const options = [`--retry=${retries}`, '--reporter=json', `--outputFile=${report}`, '-t', pattern]
  return spawn(join(tree, 'node_modules', '.bin', 'vitest'), ['run', ...files, ...options])
}

function runJourneys(files, pattern, retries, report) {
  const built = spawn(node, ['-e', "import('./tools/runtime.mjs').then((m) => m.ensureBuilt())"])
  if (built.status !== 0) return built
  const options = ['--config', e2eConfig, `--retries=${retries}`, '--workers=1', '--reporter=json', '-g', pattern]
  return spawn(join(tree, 'node_modules', '.bin', 'playwright'), ['test', ...options, ...files], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
}

function spawn(command, args, extra = {}) {
  return spawnSync(command, args, { cwd: tree, encoding: 'utf8', env: environment(extra), maxBuffer: 2 ** 26 })
}

/** A file of tests that could not even be loaded has no test that failed: that catches nothing. */
function testsOf({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({ file: name.slice(tree.length + 1), name: fullName, status })),
  )
}

/** Tests whose statements ran on SQLite and are refused by PostgreSQL, as the end of the run tells (`testing/after-all.ts`). */
function refusedOf(output) {
  return [...output.matchAll(/ met in (\S+) > (.+)$/gm)].map(([, file, name]) => ({
    file,
    name: `${name} (refused by PostgreSQL)`,
    status: 'failed',
  }))
}

function journeysOf({ suites }) {
  return suites.flatMap(specsOf).map(({ file, title, ok }) => ({
    file: `e2e/journeys/${basename(file)}`,
    name: title,
    status: ok ? 'passed' : 'failed',
  }))
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

function isNamed({ file, name }, fault) {
  return file === fault.file && name.includes(fault.test)
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
