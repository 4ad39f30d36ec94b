/** Libraries of previews, fetched when a page first needs them. */
import { addresses } from 'virtual:preview-runtime'
import type { ReadLibrary } from './page.ts'

const read = new Map<string, Promise<string>>()

/** Rejects where it cannot be fetched; the next call tries again. */
export const readLibrary: ReadLibrary = (name) => {
  const known = read.get(name)
  if (known) return known
  const coming = fetch(addresses[name] ?? '').then(async (response) => {
    if (!response.ok) throw new Error(`The library ${name} could not be loaded.`)
    return response.text()
  })
  read.set(name, coming)
  coming.catch(() => read.delete(name))
  return coming
}

export const loadCompiler = () => import('./compile-engine.ts')
