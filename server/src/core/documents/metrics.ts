/** What is told of documents. */
import { DocumentFailure } from '@atrium/contract/documents'
import { defineCounter, defineGauge, defineHistogram } from '../../platform/metrics/definition.ts'
import type { Metrics } from '../../platform/metrics/index.ts'

export const documentMetrics = {
  documents_read_total: defineCounter('Documents read, or why they weren’t', {
    labels: { outcome: ['completed', ...DocumentFailure.options] },
  }),
  document_read_seconds_total: defineCounter('Time spent reading documents', { unit: 'seconds' }),
  document_retrieval_duration_seconds: defineHistogram(
    'Time to retrieve passages for a question',
    [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  ),
  documents_unfound: defineGauge('Documents of the instance that aren’t searchable yet, or only by keyword', {
    labels: { state: ['waiting', 'failed', 'without_vectors'] },
  }),
}

export type Unfound = { readonly waiting: number; readonly failed: number; readonly withoutVectors: number }

export const createDocumentRecorder = (metrics: Metrics) => {
  const figures = metrics.bind(documentMetrics)
  return {
    /** A document was read, or could not be. */
    read(outcome: DocumentFailure | 'completed', durationMs: number): void {
      figures.documents_read_total({ outcome })
      figures.document_read_seconds_total({}, durationMs / 1000)
    },
    async timeRetrieval<T>(work: () => Promise<T>): Promise<T> {
      const begun = performance.now()
      try {
        return await work()
      } finally {
        figures.document_retrieval_duration_seconds({}, (performance.now() - begun) / 1000)
      }
    },
    watch: (count: () => Promise<Unfound>): void =>
      metrics.onScrape(async () => {
        const { waiting, failed, withoutVectors } = await count()
        figures.documents_unfound({ state: 'waiting' }, waiting)
        figures.documents_unfound({ state: 'failed' }, failed)
        figures.documents_unfound({ state: 'without_vectors' }, withoutVectors)
      }),
  }
}
export type DocumentRecorder = ReturnType<typeof createDocumentRecorder>
