/** `npm run doctor`: looks at the instance and says what to mend; it exits with 0, 1 or 2. */
import { become, ensureBuilt, ensureInstalled, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
become(node, ['server/dist/doctor.js', ...process.argv.slice(2)])
