/**
 * Keeps the contract's schemas, and zod with them, out of the browser: a module under `contract/src` that the web
 * imports is loaded in Node and replaced by plain literals. Of a route stay its method, its path and what kind of
 * answer it has; types come from the real module, for the compiler only.
 */
import { statSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('../contract/src', import.meta.url)) + sep
/** These hold functions that the browser runs; they import types only. */
const codeFiles = [
  'find-form.ts',
  'group-handle.ts',
  'languages.ts',
  'measure.ts',
  'request.ts',
  'schedule.ts',
  'tag-name.ts',
  'tool-events.ts',
]

export function contractLiterals(): Plugin {
  return {
    name: 'atrium-contract',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? id
      if (!file.startsWith(folder) || codeFiles.includes(file.slice(folder.length))) return null
      this.addWatchFile(file)
      const module: Record<string, unknown> = await import(`${pathToFileURL(file).href}?${statSync(file).mtimeMs}`)
      const lines = Object.entries(module).flatMap(([name, value]) => {
        const literal = literalOf(value)
        return literal === undefined ? [] : [`export const ${name} = ${JSON.stringify(literal)}`]
      })
      return { code: `${lines.join('\n')}\nexport {}\n`, moduleSideEffects: false, map: null }
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const stray = chunk.type === 'chunk' && chunk.moduleIds.find((id) => /node_modules\/zod\//.test(id))
        if (stray) this.error(`zod must not reach the browser, but ${chunk.fileName} holds ${stray}`)
      }
    },
  }
}

/** A table of routes becomes a table of addresses, plain data stays, everything else (schemas, functions) is left out. */
function literalOf(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (!isPlain(value)) return undefined
  const members = Object.values(value)
  if (members.length > 0 && members.every(isRoute)) {
    return Object.fromEntries(Object.entries(value).map(([name, route]) => [name, addressOf(route as RouteLike)]))
  }
  return isData(value) ? value : undefined
}

interface RouteLike {
  method: string
  path: string
  stream?: unknown
  streamOnRequest?: unknown
  upload?: unknown
  returns?: unknown
}

const isRoute = (value: unknown): value is RouteLike =>
  isPlain(value) && typeof Reflect.get(value, 'method') === 'string' && typeof Reflect.get(value, 'path') === 'string'

const addressOf = (route: RouteLike) => ({
  method: route.method,
  path: route.path,
  ...(route.stream ? { stream: true } : {}),
  ...(route.streamOnRequest ? { streamOnRequest: true } : {}),
  ...(route.upload ? { upload: true } : {}),
  ...(route.returns === 'bytes' ? { bytes: true } : {}),
})

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/** Objects and lists of nothing but data, all the way down. A zod schema has a prototype or functions of its own. */
const isData = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (isPlain(value) && Object.values(value).every(isData))
