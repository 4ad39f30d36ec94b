import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { queryOf } from '../../api/query.ts'
import { DocumentViewer } from '../../blocks/document-viewer/document-viewer.tsx'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import type { PassageSearch } from './search.ts'
import { useText } from 'virtual:words/documents'

/** `/documents/<id>`: one document, at a passage where the address names one. */
export function DocumentPage() {
  const t = useText('documents')
  const { documentId = '' } = useParams({ strict: false }) as { documentId?: string }
  const { from, to, page } = useSearch({ strict: false }) as PassageSearch
  const navigate = useNavigate()
  // The viewer loads it; this only listens for the name.
  const { data } = useQuery({ ...queryOf(documentsRoutes.read, { params: { documentId } }), enabled: false })
  useTitle(data?.filename ?? t('title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="sr-only">{data?.filename ?? t('title')}</h1>
      <nav aria-label={t('back')} className="shrink-0 border-b border-line px-3 py-1">
        <Link
          to={links.documents()}
          className="inline-flex h-control-small items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-3.5 rtl:-scale-x-100" />
          {t('title')}
        </Link>
      </nav>
      <div className="min-h-0 flex-1">
        <DocumentViewer
          documentId={documentId}
          target={{ startChar: from, endChar: to, page }}
          onClose={() => void navigate({ to: links.documents() })}
        />
      </div>
    </div>
  )
}
