/**
 * Bundles the server into `server/dist`: what starts then is a few files of plain JavaScript instead of some hundred of
 * TypeScript, which halves memory and start time. Packages with native code stay where they are.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { pack } from './pack.mjs'
import { root } from './runtime.mjs'

const outside = [
  /^node:/,
  'better-sqlite3',
  'sqlite-vec',
  'pg-native',
  'swagger-ui-dist',
  /^pdfjs-dist\//,
  /^@jsquash\//,
  'tesseract-wasm',
  'quickjs-emscripten',
  // What `loadPackage` loads when it is first needed.
  'age-encryption',
  'ldapts',
  '@smithy/eventstream-codec',
  'snowball-stemmers',
  'fast-xml-parser',
  'jose',
  'openid-client',
  'otplib',
  'temporal-polyfill',
]
const threadFile = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g

/** Files that threads start from become files of their own; the address in the code follows them. */
const threads = {
  name: 'threads',
  async transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const found = new Map()
    for (const [, path] of code.matchAll(threadFile)) {
      const target = await this.resolve(`${path}.ts`, id)
      // A comment may speak of such an address, too.
      if (target) found.set(path, this.emitFile({ type: 'chunk', id: target.id, preserveSignature: 'strict' }))
    }
    return code.replaceAll(threadFile, (text, path) =>
      found.has(path) ? `new URL(import.meta.ROLLDOWN_FILE_URL_${found.get(path)})` : text,
    )
  },
}

// The definitions of providers are checked here, and not at every start.
const { readDefinitions } = await import('../server/src/providers/definitions.ts')
const definitions = readDefinitions(new URL('../server/src/providers/definitions/', import.meta.url))

const bundle = await rolldown({
  cwd: root,
  input: {
    main: join(root, 'server/src/app/main.ts'),
    doctor: join(root, 'server/src/app/doctor/main.ts'),
    health: join(root, 'server/src/app/health/main.ts'),
    recovery: join(root, 'server/src/app/recovery/main.ts'),
    // What the journeys run several of in one process.
    app: join(root, 'server/src/app/app.ts'),
    config: join(root, 'server/src/app/config.ts'),
  },
  platform: 'node',
  external: outside,
  plugins: [threads],
  onLog(level, log, report) {
    if (log.code !== 'EVAL') report(level, log)
  },
})
const { output } = await bundle.write({
  dir: join(root, 'server', 'dist'),
  cleanDir: true,
  format: 'esm',
  minify: { mangle: false, compress: false, codegen: true },
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})

writeFileSync(join(root, 'server', 'dist', 'definitions.json'), JSON.stringify(definitions))

// The document of the interface, and Swagger UI which shows it, packed as the web app is.
const docs = join(root, 'server', 'dist', 'docs')
mkdirSync(docs)
const { interfaceDocument } = await import('../server/src/app/interface.ts')
writeFileSync(join(docs, 'openapi.json'), JSON.stringify(interfaceDocument()))
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
  copyFileSync(join(root, 'node_modules', 'swagger-ui-dist', name), join(docs, name))
await pack(docs)

// V8 keeps source in which one character is not Latin in two bytes per character, for as long as the program runs.
const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
for (const { type, fileName, code } of output)
  if (type === 'chunk') writeFileSync(join(root, 'server', 'dist', fileName), code.replace(/[^\0-\x7f]/g, escape))
