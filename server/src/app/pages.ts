/** Pages that are no routes of the contract: the figures, and the documentation. */
import type { Metrics } from '../platform/metrics/index.ts'
import { builtDocs } from './interface.ts'
import { docsPages } from '../platform/http/docs-page.ts'
import { type Page, fail } from '../platform/http/index.ts'

/** `/metrics` answers 404 while it is off. */
export const createPages = (metrics: Metrics | null): Page[] => [
  ...docsPages({
    path: '/api/docs',
    title: 'The interface of Atrium',
    documentPath: '/api/openapi.json',
    folder: builtDocs(),
  }),
  {
    path: '/metrics',
    async answer({ bearer }) {
      if (!metrics) return null
      if (!metrics.allows(bearer)) throw fail('unauthenticated', 'Send METRICS_TOKEN as a bearer token.')
      const { type, body } = await metrics.text()
      return { headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
    },
  },
]
