/** Caches parsed documents until their rows change: a list of 350 models is parsed once, not per request. */
import { createCache } from '../../../platform/cache/cache.ts'

const limit = 500

/** Gives what is kept under a key for this version, or makes it. */
export function createParseCache<T>(): (key: string, version: string, make: () => T) => T {
  const cached = createCache<{ version: string; value: T }>({ max: limit })
  return (key, version, make) => {
    const known = cached.get(key)
    if (known?.version === version) return known.value
    const value = make()
    cached.set(key, { version, value })
    return value
  }
}
