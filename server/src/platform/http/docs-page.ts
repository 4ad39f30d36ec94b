/** A page to read the interface at: Swagger UI, served from our own origin and under our own policy. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from './server.ts'

/** The page at `path`, showing the document at `documentPath`, with its files below `path`. */
export const docsPages = (path: string, documentPath: string, title: string): Page[] => [
  page(path, 'text/html; charset=utf-8', async () => html(path, title)),
  page(`${path}/start.js`, 'text/javascript; charset=utf-8', async () => start(documentPath)),
  page(`${path}/swagger-ui.css`, 'text/css; charset=utf-8', () => vendored('swagger-ui.css')),
  page(`${path}/swagger-ui-bundle.js`, 'text/javascript; charset=utf-8', () => vendored('swagger-ui-bundle.js')),
]

const page = (path: string, type: string, body: () => Promise<string | Uint8Array>): Page => ({
  path,
  answer: async () => ({ headers: { 'content-type': type }, body: await body() }),
})

const vendored = (name: string): Promise<Uint8Array> => {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
  return readFile(join(dirname(manifest), name))
}

const html = (path: string, title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="${path}/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="${path}/swagger-ui-bundle.js"></script>
    <script src="${path}/start.js"></script>
  </body>
</html>
`

/** In a file of its own, because no inline script runs under our policy. */
const start = (documentPath: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(documentPath)},
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
})
`
