/** A document as it is: the original drawn, and the text that was read out of it, with a passage marked. */
import { type DocumentText, documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { links } from '../../lib/links.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentNotice } from './notice.tsx'
import { keySentences } from './key-sentences.ts'
import { MediaView } from './media-view.tsx'
import type { Zoom } from './page-bar.tsx'
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
  /** What the passage is cited for: the sentences of it that say so are marked more than the rest. */
  claim?: string | undefined
  /** Those sentences, where they are known already. */
  keys?: readonly TextRange[] | undefined
}

export interface DocumentViewerProps {
  documentId: string
  target?: DocumentTarget | undefined
  /** Stands first in its toolbar. */
  lead?: ReactNode
  /** Buttons behind the name, before those of every document. */
  tools?: ReactNode
  /** Whether the toolbar leads to the document's own page. */
  linked?: boolean
}

export function DocumentViewer({ documentId, target, lead, tools, linked = false }: DocumentViewerProps) {
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
  if (query.isPending)
    return (
      <Framed lead={lead}>
        <Skeleton lines={10} className="p-5" />
      </Framed>
    )
  if (query.isError && (!query.data || codeOf(query.error) === 'document_not_found')) {
    return (
      <Framed lead={lead}>
        {codeOf(query.error) === 'document_not_found' ? (
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
        )}
      </Framed>
    )
  }
  return <Loaded key={documentId} document={query.data} target={target} lead={lead} tools={tools} linked={linked} />
}

/** What leads away from a document stands there without the document, too. */
function Framed({ lead, children }: { lead: ReactNode; children: ReactNode }) {
  if (!lead) return children
  return (
    <>
      <div className="flex h-12 items-center border-b border-line ps-3">{lead}</div>
      {children}
    </>
  )
}

type LoadedProps = { document: DocumentText } & Omit<DocumentViewerProps, 'documentId'>

function Loaded({ document, target, lead, tools, linked }: LoadedProps) {
  const t = useText('document-viewer')
  const [box, wide] = useWide(900)
  const drawn = document.fileType === 'pdf' || document.fileType === 'image'
  const [chosen, setShown] = useState<ViewMode | null>(null)
  const wanted = chosen ?? (drawn ? 'original' : 'text')
  const shown: ViewMode = !drawn ? 'text' : wanted === 'both' && !wide ? 'original' : wanted
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const passage = usePassage(document, target)
  const keys = useKeys(document, passage, target)
  const finder = useFinder(document.content)
  const original =
    document.fileType === 'pdf' ? (
      <Suspense fallback={<Skeleton lines={10} className="p-5" />}>
        <PdfView
          document={document}
          passage={passage}
          keys={keys}
          page={target?.page ?? null}
          finder={finder}
          zoom={zoom}
          onZoom={setZoom}
          bar={bar}
          compact={!wide}
          onText={() => setShown('text')}
        />
      </Suspense>
    ) : (
      <MediaView document={document} />
    )
  const text = <TextView document={document} passage={passage} keys={keys} finder={finder} />
  return (
    <div ref={box} className="flex h-full min-h-0 flex-col">
      <Toolbar
        document={document}
        shown={shown}
        views={!drawn ? [] : wide ? ['original', 'both', 'text'] : ['original', 'text']}
        onShow={setShown}
        zoom={zoom}
        onZoom={setZoom}
        finder={finder}
        compact={!wide}
        readFrom={passage?.start ?? 0}
        onBar={setBar}
        lead={lead}
        tools={tools}
        fullLink={linked ? fullLinkOf(document.id, passage, target?.page, keys) : undefined}
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

const noKeys: readonly TextRange[] = []

/** The sentences of the passage that matter most; none where nobody knows. */
function useKeys(
  { content }: DocumentText,
  passage: TextRange | null,
  target: DocumentTarget | undefined,
): readonly TextRange[] {
  const { claim, keys } = target ?? {}
  return useMemo(() => {
    if (!passage) return noKeys
    if (keys) return keys.filter(({ start, end }) => start >= passage.start && end <= passage.end && end > start)
    return claim ? keySentences(content, passage, claim) : noKeys
  }, [content, passage, claim, keys])
}

const fullLinkOf = (id: string, passage: TextRange | null, page: number | undefined, keys: readonly TextRange[]) =>
  links.document(id, { from: passage?.start, to: passage?.end, page, keys })
