/** `npm run bench`: builds what is missing and measures. */
import { become, ensureBuilt, ensureInstalled, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
become(node, ['bench/main.ts'])
