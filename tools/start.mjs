/** `npm start`: installs what is missing, builds what changed, and serves. */
import { become, ensureBuilt, ensureInstalled, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
become(node, ['server/dist/main.js'])
