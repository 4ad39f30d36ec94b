/** `npm run build`: installs what is missing, and builds what changed, without starting it. */
import { ensureBuilt, ensureInstalled } from './runtime.mjs'

ensureInstalled()
await ensureBuilt()
