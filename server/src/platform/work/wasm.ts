/** WebAssembly of packages, read from their folders: what would be fetched in a browser is given as a compiled module. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } }
const compiled = new Map<string, object>()

/** A `WebAssembly.Module` of a file of a package (`name/folder/file`), compiled once; its type is not known here. */
export const compileWasm = (specifier: string): object => {
  const known = compiled.get(specifier)
  if (known) return known
  const module = new WebAssembly.Module(readFileSync(resolve(specifier)))
  compiled.set(specifier, module)
  return module
}
