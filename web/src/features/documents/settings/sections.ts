import { Files } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/documents-settings'

/** How documents are searched, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'documents',
      name: 'documents-settings:section',
      icon: Files,
      group: 'models',
      order: 55,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.DocumentSettings }))),
      entries: [
        ...settingsEntries('documents-settings', [
          'hybrid',
          'embeddingModel',
          'embeddingStatus',
          'chunkSize',
          'chunkOverlap',
          'maxExcerpts',
          'similarityThreshold',
          'rerank',
          'rewriteQuestions',
          'visionModel',
          'speechModel',
        ]),
        ...settingsEntries('documents-settings', ['retrievalTester', 'failedDocuments']),
        {
          id: 'documentsReset',
          name: 'documents-settings:reset.label',
          words: 'documents-settings:words.documentsReset',
        },
        {
          id: 'builtInReader',
          name: 'documents-settings:reader.title',
          words: 'documents-settings:words.builtInReader',
          adminOnly: true,
        },
      ],
    },
  ],
}
