/**
 * Documents: what answers quote from. The library with its collections, uploading, and the page of one document. How a
 * document is drawn is the business of `blocks/document-viewer`; finding passages is the server's.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Files, FileText, FolderOpen, Upload } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import { readPassage, readSearch } from './search.ts'
import { pickDocuments } from './upload/pick.ts'

defineActions([
  {
    id: 'documents.open',
    name: 'app:action.documents',
    words: 'app:action.documentsWords',
    icon: Files,
    run: (go) => go(links.documents()),
  },
  {
    id: 'documents.upload',
    name: 'app:action.upload',
    icon: Upload,
    command: 'upload',
    run: (go) => pickDocuments(() => go(links.documents())),
  },
])

const refreshLists = () => import('./data/cache.ts').then((module) => module.refreshDocuments())

export const documentsFeature = {
  name: 'documents',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/documents',
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./page.tsx'), 'DocumentsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/documents/$documentId',
      validateSearch: readPassage,
      component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
    }),
  ],
  rail: {
    name: 'app:shell.documents',
    icon: Files,
    to: links.documents(),
    order: 20,
    onPhones: true,
    owns: (path) => path === '/documents' || path.startsWith('/documents/'),
  },
  resources: {
    kinds: {
      document: {
        icon: FileText,
        link: ({ id, startChar, endChar }) =>
          links.document(id, startChar == null || endChar == null ? undefined : { from: startChar, to: endChar }),
        refresh: refreshLists,
        hasContent: true,
      },
      collection: { icon: FolderOpen, link: ({ id }) => links.documents({ collection: id }), refresh: refreshLists },
    },
    words: () => import('virtual:words/documents-names'),
  },
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
} satisfies Feature
