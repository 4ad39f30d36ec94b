/**
 * `npm run check`: types, lint, format, floors, sizes, the description of the interface, dead code, and who may call
 * which route. Prints and runs every check; all run, then it ends. `--code` leaves out what `npm test` runs with the
 * other tests, and `--beside-new-area` what `tools/new-area.test.ts` runs (with `--with-new-area`) over a copy that has all
 * of the tree and an area more. With paths, lint, format and floors look at these alone: what they say of one file follows
 * from it and what it imports.
 */
import { ensureInstalled, environment, root, run, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
const paths = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const shipped = paths.length > 0 ? paths : ['contract/src', 'server/src', 'web/src']
const all = paths.length > 0 ? paths : ['.']

// One thread each: with several, types and lint cost half as much again, and other work waits for the processor. A heap
// that is swept less often takes a quarter off them.
const env = environment({ GOMAXPROCS: '1', GOGC: '400' })
// An area more makes nothing of this right that is wrong without it. Its routes are
// written down in the copy, and what it alone uses is dead in the tree alone.
const ofAnyTree = [
  ['types of contract, server, e2e and tools', 'tsc', ['--noEmit', '--singleThreaded', '-p', '.']],
  ['types of the web app', 'tsc', ['--noEmit', '--singleThreaded', '-p', 'web']],
  ['description of the interface, and a client made from it', node, ['tools/api/check.mjs']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings', ...all]],
  ['format', 'biome', ['format', ...all]],
  [
    'floors',
    node,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err',
      ...shipped,
    ],
  ],
  ['sizes of files', node, ['tools/sizes.mjs']],
  ['names, shapes, SQL, circles and shared files', node, ['tools/checks/index.mjs']],
  ['docs/metrics.md is what the code says', node, ['tools/metrics-docs.ts', '--check']],
]
const checks = [
  ...(process.argv.includes('--beside-new-area') ? [] : ofAnyTree),
  ['docs/routes.txt is what the contract says', node, ['tools/api-docs.ts', '--check']],
  // That test looks for what is dead in its area, which is all that differs from the tree.
  ...(process.argv.includes('--with-new-area')
    ? []
    : [['dead files, exports and dependencies', 'knip', ['--no-progress']]]),
]
if (!process.argv.includes('--code'))
  checks.push(['who may call which route', 'vitest', ['run', '--reporter=dot', 'server/src/app/matrix.test.ts']])

const failed = []
for (const [name, command, args] of checks) {
  const started = process.hrtime.bigint()
  const code = await run(command, args, { cwd: root, env })
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
  if (code !== 0) failed.push(name)
}
if (failed.length > 0) {
  console.error(`\n${failed.length} of ${checks.length} checks failed: ${failed.join('; ')}.`)
  process.exit(1)
}
