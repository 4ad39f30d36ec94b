/** Files stay short: none over 400 lines (it wants splitting), half of them up to 70, nine of ten up to 180. Tests, and what only they use, are left out. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const most = { lines: 400, median: 70, ninetieth: 180 }
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const sizes = listed
  .split('\n')
  .filter((path) => /\.(ts|tsx|mjs|css)$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path) && existsSync(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
  .sort((a, b) => a.lines - b.lines)

const at = (share) => sizes[Math.floor(sizes.length * share)]?.lines ?? 0
const [median, ninetieth] = [at(0.5), at(0.9)]
console.log(
  `${sizes.length} files: median ${median} lines, nine of ten up to ${ninetieth}, the longest ${at(0.99999)}.`,
)

const faults = sizes
  .filter(({ lines }) => lines > most.lines)
  .map(({ path, lines }) => `${path} has ${lines} lines; ${most.lines} is the most.`)
if (median > most.median) faults.push(`The median is ${median} lines; ${most.median} is the most.`)
if (ninetieth > most.ninetieth)
  faults.push(`Nine of ten files have up to ${ninetieth} lines; ${most.ninetieth} is the most.`)
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
