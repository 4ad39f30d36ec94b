/** `npm run graph`: draws the floors as a Mermaid flowchart, from the imports as they are. */
import { become, ensureInstalled, root, runtime } from './runtime.mjs'

ensureInstalled()
become(runtime(), [
  `${root}/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`,
  ...['--config', '.dependency-cruiser.mjs', '--output-type', 'mermaid'],
  ...['--include-only', '^(contract|server|web)/src/', '--exclude', '[.]test[.]|/testing/'],
  ...['--collapse', '^(contract/src|server/src/[^/]+/[^/]+|web/src/[^/]+)'],
  ...['contract/src', 'server/src', 'web/src'],
])
