/** A page to read the interface at: Swagger UI, served from our own origin and under our own policy. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from './pages.ts'
import { StaticFile } from './static-file.ts'

export interface DocsPage {
  readonly path: string
  readonly title: string
  /** Where the document is served. */
  readonly documentPath: string
  /** Where the build put the files of Swagger UI, packed; without it they are taken from their package. */
  readonly folder: string | null
}

/** The page, with its files below its path. */
export const docsPages = ({ path, title, documentPath, folder }: DocsPage): Page[] => [
  page(path, 'text/html; charset=utf-8', html(path, title, documentPath)),
  page(`${path}/start.js`, 'text/javascript; charset=utf-8', start(documentPath)),
  ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => filePage(`${path}/${name}`, name, folder)),
]

const page = (path: string, type: string, body: string): Page => ({
  path,
  answer: async () => ({ headers: { 'content-type': type }, body }),
})

const filePage = (path: string, name: string, folder: string | null): Page => {
  let file: StaticFile | null = null
  return { path, answer: async () => (file ??= StaticFile.open(join(folder ?? packageFolder(), name))) }
}

const packageFolder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The document comes beside the script, which would ask for it only once it runs. */
const html = (path: string, title: string, documentPath: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="preload" href="${documentPath}" as="fetch" crossorigin>
    <link rel="stylesheet" href="${path}/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="${path}/swagger-ui-bundle.js"></script>
    <script src="${path}/start.js"></script>
  </body>
</html>
`

/**
 * In a file of its own, because no inline script runs under our policy. Swagger UI reads every document as YAML and
 * resolves all of an OpenAPI 3.1 document before the first operation opens, which takes seconds; ours is JSON with
 * references into itself only, so it is parsed as JSON and resolved where it is opened. Until then Swagger UI holds only
 * what its list shows: it copies all that it is given into maps of its own, several times.
 */
const start = (documentPath: string): string => `const follow = (document, reference) =>
  reference.slice(2).split('/').reduce((value, key) => value?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

// A reference to what is being resolved stays a reference.
const resolve = (document, value, open) => {
  if (Array.isArray(value)) return value.map((item) => resolve(document, item, open))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference } = value
  if (typeof reference === 'string') {
    if (open.includes(reference)) return value
    const target = follow(document, reference)
    const title = reference.startsWith('#/components/schemas/') ? { title: reference.split('/').at(-1) } : {}
    return resolve(document, { ...title, ...target }, [...open, reference])
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(document, item, open)]))
}

// What the list of operations shows; the rest is looked up in the whole document when one is opened.
const outlineOf = ({ paths, components: { responses: _, ...components } = {}, ...document }) => ({
  ...document,
  components,
  paths: mapValues(paths, (operations) =>
    mapValues(operations, ({ requestBody: _, responses: __, ...operation }) => operation),
  ),
})
const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

let whole
const ownReader = () => ({
  fn: {
    resolveSubtree: async (_, path) => ({
      spec: resolve(whole, path.reduce((value, key) => value?.[key], whole), []),
      errors: [],
    }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson: (_, { specActions, specSelectors }) => (text) => {
          whole = JSON.parse(text ?? specSelectors.specStr())
          specActions.updateJsonSpec(outlineOf(whole))
        },
      },
    },
  },
})

SwaggerUIBundle({
  url: ${JSON.stringify(documentPath)},
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  plugins: [ownReader],
  validatorUrl: null,
})
`
