/** Starts Atrium. The address goes to standard output in words, the log to standard error in JSON lines. */
import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'

// This file runs from `server/src/app` and, bundled, from `server/dist`.
let root = import.meta.dirname
while (!existsSync(join(root, 'package-lock.json')) && dirname(root) !== root) root = dirname(root)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`Atrium needs Node 22.19 or newer; this is ${process.versions.node}. \`npm start\` brings its own.`)
  process.exit(1)
}
// Compiled code is kept between starts; without a writable folder it goes on without.
enableCompileCache(join(root, 'node_modules', '.cache', 'compile'))
const { run } = await import('./run.ts')
await run(root)
// Otherwise it is written at the end, which a process that is killed does not come to.
flushCompileCache()
