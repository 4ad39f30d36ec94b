/** `npm start`: installs what is missing, builds what changed, and serves. */
import { become, ensureBuilt, ensureInstalled, environment, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
// Two arenas of malloc: memory that reading many files took is given back. Sixteen threads for files, passwords and names
// of hosts: one that waits for a dead drive is not missed.
const env = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '16', ...environment() }
become(node, ['server/dist/main.js'], env)
