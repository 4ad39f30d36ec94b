/** `npm run bench`: builds what is missing and measures; `npm run bench:<name>` measures one thing of its own. */
import { become, ensureBuilt, ensureInstalled, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
await ensureBuilt()
const [name, ...parts] = process.argv.slice(2)
become(node, [name ? `bench/${name}/main.ts` : 'bench/main.ts', ...parts])
