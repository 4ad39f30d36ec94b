import { createRequire } from 'node:module'

interface Packages {
  'age-encryption': typeof import('age-encryption')
  ldapts: typeof import('ldapts')
  '@smithy/eventstream-codec': typeof import('@smithy/eventstream-codec')
  'snowball-stemmers': typeof import('snowball-stemmers').default
  'fast-xml-parser': typeof import('fast-xml-parser')
  jose: typeof import('jose')
  'openid-client': typeof import('openid-client')
  otplib: typeof import('otplib')
  'temporal-polyfill': typeof import('temporal-polyfill')
  // A part of Node, but an `import` of it reads all that it exports, and with that the whole client behind `fetch`: 5 MB.
  'node:http': typeof import('node:http')
}

/**
 * Loads a package when it is first needed, without waiting: for what most servers never do, and what would take megabytes
 * of each of them from the start. It has to stand in `outside` of `tools/build-server.mjs`, so that the bundle leaves it
 * where it is.
 */
export const loadPackage = <Name extends keyof Packages>(name: Name): Packages[Name] => require(name) as Packages[Name]

const require = createRequire(import.meta.url)
