/** Keeps parsed documents as long as their rows have not changed: a list of 350 models is parsed once, not per request. */

const limit = 500

/** Gives what is kept under a key for this version, or makes it. */
export function createParseCache<T>(): (key: string, version: string, make: () => T) => T {
  const kept = new Map<string, { version: string; value: T }>()
  return (key, version, make) => {
    const known = kept.get(key)
    if (known?.version === version) return known.value
    const value = make()
    if (kept.size >= limit) kept.clear()
    kept.set(key, { version, value })
    return value
  }
}
