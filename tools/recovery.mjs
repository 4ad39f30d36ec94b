/** `npm run backup`, `restore`, `move`, `rotate-key`: the first word says which. They work beside a running server and without one. */
import { become, ensureInstalled, ensureServerBuilt, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureServerBuilt()
become(node, ['server/dist/recovery.js', ...process.argv.slice(2)])
