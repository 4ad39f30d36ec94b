import { createRequire } from 'node:module'

/**
 * Loads a package when it is first needed, without waiting: for what most servers never do, and what would take megabytes
 * of each of them from the start. It has to stand in `outside` of `tools/build-server.mjs`, so that the bundle leaves it
 * where it is.
 */
export const loadPackage = <Package>(
  name: 'age-encryption' | 'ldapts' | '@smithy/eventstream-codec' | 'snowball-stemmers',
): Package => require(name) as Package

const require = createRequire(import.meta.url)
