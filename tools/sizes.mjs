/** A file over 400 lines fails: it wants splitting. Tests are left out. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const limit = 400
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const sources = listed.split('\n').filter((path) => /\.(ts|tsx|mjs|css)$/.test(path) && !/\.test\.tsx?$/.test(path))

let failures = 0
for (const path of sources) {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'r' }).split('\n').length
  if (lines > limit + 1) {
    console.error(`${path} has ${lines} lines; ${limit} is the most.`)
    failures += 1
  }
}
process.exit(failures === 0 ? 0 : 1)
