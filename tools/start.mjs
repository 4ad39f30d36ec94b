/** `npm start`: installs what is missing, builds the web app if it changed, and serves. */
import { become, ensureBuilt, ensureInstalled, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
become(node, ['server/src/app/main.ts'])
