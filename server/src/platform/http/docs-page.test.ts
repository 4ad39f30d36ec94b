import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { startSample } from '../../testing/http-sample.ts'
import { docsPages } from './docs-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pages = docsPages({ path: '/docs', title: 'Docs', documentPath: '/document.json', folder })

type WrapAction = (
  original: null,
  system: { specActions: { updateJsonSpec(document: unknown): void } },
) => (text: string) => void

interface Options {
  readonly url: string
  readonly plugins: readonly (() => {
    fn: { resolveSubtree(document: unknown, path: readonly string[]): Promise<{ spec: unknown; errors: unknown[] }> }
    statePlugins: { spec: { wrapActions: { parseToJson: WrapAction } } }
  })[]
}

test('operations are listed in outline; references are followed where one is opened, and none without an end', async () => {
  let options: Options | null = null
  const script = (await pages.find(({ path }) => path === '/docs/start.js')?.answer({} as never)) as { body: string }
  runInNewContext(script.body, { SwaggerUIBundle: (given: Options) => (options = given) })
  const { url, plugins } = options as unknown as Options
  expect(url).toBe('/document.json')
  const Tree = { type: 'object', properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } }
  const document = {
    openapi: '3.1.0',
    paths: {
      '/trees': { get: { summary: 'Trees', responses: { 200: { $ref: '#/components/responses/tree.found' } } } },
    },
    components: {
      responses: { 'tree.found': { content: { schema: { $ref: '#/components/schemas/Tree' } } } },
      schemas: { Tree },
    },
  }
  const [plugin] = plugins.map((create) => create())
  let outline: unknown
  const specActions = { updateJsonSpec: (given: unknown) => void (outline = given) }
  plugin?.statePlugins.spec.wrapActions.parseToJson(null, { specActions })(JSON.stringify(document))
  expect(outline).toEqual({
    openapi: '3.1.0',
    paths: { '/trees': { get: { summary: 'Trees' } } },
    components: { schemas: { Tree } },
  })
  const { spec, errors } = (await plugin?.fn.resolveSubtree(outline, ['paths', '/trees', 'get'])) ?? {}
  expect(errors).toEqual([])
  expect(spec).toEqual({ summary: 'Trees', responses: { 200: { content: { schema: { title: 'Tree', ...Tree } } } } })
})

test('files of the build are sent packed, and once', async () => {
  writeFileSync(join(folder, 'swagger-ui.css'), 'body {}')
  writeFileSync(join(folder, 'swagger-ui.css.gz'), gzipSync('body {}'))
  const sample = await startSample({ pages })
  const first = await fetch(new URL('/docs/swagger-ui.css', sample.url), { headers: { 'accept-encoding': 'gzip' } })
  expect(await first.text()).toBe('body {}')
  expect(first.headers.get('content-encoding')).toBe('gzip')
  const headers = { 'accept-encoding': 'gzip', 'if-none-match': first.headers.get('etag') ?? '' }
  expect((await fetch(new URL('/docs/swagger-ui.css', sample.url), { headers })).status).toBe(304)
  await sample.stop()
})
