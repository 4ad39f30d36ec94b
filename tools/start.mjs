/** `npm start`: installs what is missing, builds what changed, and serves. */
import { become, ensureBuilt, ensureInstalled, environment, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
// Two arenas of malloc: memory that reading many files took is given back.
const env = environment({ MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2' })
become(node, ['server/dist/main.js'], env)
