/** `node tools/checks/index.mjs [name…]`: what no linter of others holds. Parses every source once, and runs every check. */
import { checks } from './checks.mjs'
import { parseSources } from './sources.mjs'

const wanted = process.argv.slice(2)
const sources = parseSources()

let failures = 0
for (const [name, { find, rule }] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const found = find(sources)
  failures += found.length
  for (const line of found) console.error(line)
  if (found.length > 0) console.error(`${name}: ${found.length} × ${rule}\n`)
}
process.exit(failures === 0 ? 0 : 1)
