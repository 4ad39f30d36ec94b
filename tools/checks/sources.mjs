/** What the checks look at: every source of this repository as text and as a syntax tree, parsed once. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Tests, what they need, and types of packages that have none. */
const beside = /\.test\.tsx?$|\.d\.ts$|^server\/src\/testing\/|\/fixture\.ts$/

/** Every file that git knows or would take in. */
export function listFiles() {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 }
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options)
  return [...new Set(listed.trim().split('\n'))].filter((path) => existsSync(path))
}

export const parseSources = () =>
  listFiles()
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
    .map((path) => parseSource(path, readFileSync(path, 'utf8')))

/** `{ path, text, program, imports, ships }`: `ships` is false for tests and what they need. */
export function parseSource(path, text) {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const ships = /^(contract|server|web)\/src\//.test(path) && !beside.test(path)
  return { path, text, program, imports: importsOf(module), ships }
}

/** What a file imports or exports from elsewhere, types included. */
function importsOf({ staticImports, staticExports }) {
  const exported = staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest))
  return [...staticImports.map((each) => each.moduleRequest), ...exported]
    .filter((request) => request !== null)
    .map(({ value, start }) => ({ specifier: value, at: start }))
}

/** The file of this repository that a specifier means; null for a package. */
export function resolveImport(from, specifier, known) {
  const shared = /^@atrium\/contract\/(.+)$/.exec(specifier)?.[1]
  if (shared)
    return [`contract/src/${shared}.ts`, `contract/src/${shared}/index.ts`].find((path) => known.has(path)) ?? null
  if (!specifier.startsWith('.')) return null
  const path = posix.join(posix.dirname(from), specifier)
  return known.has(path) ? path : null
}

/** Calls `visit` with every node of a tree, parents first. */
export function walk(node, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, visit)
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node)
    for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit)
  }
}

/** `path:line` of a place in a file. */
export const placeOf = ({ path, text }, at) => `${path}:${text.slice(0, at).split('\n').length}`
