/** A document as it is: the original drawn, and the text that was read out of it, with a passage marked. */
import { type DocumentText, documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentNotice } from './notice.tsx'
import { MediaView } from './media-view.tsx'
import type { TextRange } from './text-ranges.ts'
import { TextView } from './text-view.tsx'
import { type ViewMode, Toolbar } from './toolbar.tsx'
import { useText } from 'virtual:words/document-viewer'
import { useFinder } from './use-finder.ts'
import { useWide } from './use-wide.ts'

const PdfView = lazy(() => import('./pdf-view.tsx').then((module) => ({ default: module.PdfView })))

/** The passage to mark and go to: offsets in the text, and the page where that is known. */
export interface DocumentTarget {
  startChar?: number | undefined
  endChar?: number | undefined
  page?: number | undefined
}

export interface DocumentViewerProps {
  documentId: string
  target?: DocumentTarget | undefined
  /** Leaves a button that calls it. */
  onClose?: (() => void) | undefined
}

export function DocumentViewer({ documentId, target, onClose }: DocumentViewerProps) {
  const t = useText('document-viewer')
  const input = { params: { documentId } }
  const query = useQuery({ ...queryOf(documentsRoutes.read, input), gcTime: 60_000, staleTime: 30_000 })
  useEffect(() => {
    const again = ({ id }: { id: string }) => {
      if (id === documentId) void refresh(documentsRoutes.read, { params: { documentId } })
    }
    const ends = [onAccountEvent('document-changed', again), onAccountEvent('document-removed', again)]
    return () => {
      for (const end of ends) end()
    }
  }, [documentId])
  if (query.isPending) return <Skeleton lines={10} className="p-5" />
  if (query.isError && (!query.data || codeOf(query.error) === 'document_not_found')) {
    return codeOf(query.error) === 'document_not_found' ? (
      <EmptyState icon={<FileX2 />} title={t('gone')}>
        {t('goneText')}
      </EmptyState>
    ) : (
      <ErrorCard
        className="m-4"
        title={t('failed')}
        details={detailsOf(query.error)}
        onRetry={() => void query.refetch()}
      >
        {wordsOf(query.error)}
      </ErrorCard>
    )
  }
  return <Loaded key={documentId} document={query.data} target={target} onClose={onClose} />
}

function Loaded({ document, target, onClose }: { document: DocumentText } & Omit<DocumentViewerProps, 'documentId'>) {
  const t = useText('document-viewer')
  const [box, wide] = useWide(900)
  const drawn = document.fileType === 'pdf' || document.fileType === 'image'
  const [chosen, setShown] = useState<ViewMode | null>(null)
  const wanted = chosen ?? (drawn ? 'original' : 'text')
  const shown: ViewMode = !drawn ? 'text' : wanted === 'both' && !wide ? 'original' : wanted
  const passage = usePassage(document, target)
  const finder = useFinder(document.content)
  const original =
    document.fileType === 'pdf' ? (
      <Suspense fallback={<Skeleton lines={10} className="p-5" />}>
        <PdfView
          document={document}
          passage={passage}
          page={target?.page ?? null}
          finder={finder}
          onText={() => setShown('text')}
        />
      </Suspense>
    ) : (
      <MediaView document={document} />
    )
  const text = <TextView document={document} passage={passage} finder={finder} />
  return (
    <div ref={box} className="flex h-full min-h-0 flex-col">
      <Toolbar
        document={document}
        shown={shown}
        views={!drawn ? [] : wide ? ['original', 'both', 'text'] : ['original', 'text']}
        onShow={setShown}
        finder={finder}
        onClose={onClose}
      />
      <DocumentNotice document={document} />
      {document.fileType === 'audio' && <MediaView document={document} />}
      <div className="flex min-h-0 flex-1">
        {shown !== 'text' && (
          <section aria-label={t('view.original')} className="flex min-h-0 min-w-0 flex-1 flex-col">
            {original}
          </section>
        )}
        {shown !== 'original' && (
          <section
            aria-label={t('view.text')}
            className={`flex min-h-0 min-w-0 flex-1 flex-col ${shown === 'both' ? 'border-s border-line' : ''}`}
          >
            {text}
          </section>
        )}
      </div>
    </div>
  )
}

/** The stretch that the target stands for, kept inside of the text; null where there is none. */
function usePassage(document: DocumentText, target: DocumentTarget | undefined): TextRange | null {
  const { startChar, endChar } = target ?? {}
  const length = document.content.length
  return useMemo(() => {
    if (startChar === undefined || endChar === undefined) return null
    const start = Math.max(0, Math.min(length, startChar))
    const end = Math.max(start, Math.min(length, endChar))
    return end > start ? { start, end } : null
  }, [startChar, endChar, length])
}
