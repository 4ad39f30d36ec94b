/** `npm run screenshots`: builds what is missing and takes the pictures of the documentation anew. */
import { become, ensureBuilt, ensureInstalled, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
become(node, ['e2e/screenshots.ts'])
