/**
 * For `--import`, in a process that was forked: notes which packages the program loads, and tells them its parent at each
 * message. `internal/deps/undici/undici` stands for the client behind Node's own `fetch`.
 */
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    if (name) loaded.add(name)
    return next(url, context)
  },
})

process.on('message', () => {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] }
  const parts = moduleLoadList.map((part) => part.replace(/^\w+ /, '')).filter((part) => part.includes('/deps/undici'))
  process.send?.([...loaded, ...parts])
})
