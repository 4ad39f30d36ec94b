import { type Document, type DocumentPassage, documentsRoutes } from '@atrium/contract/documents'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Eye, TextSelect } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { classNames } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useText } from 'virtual:words/documents'

/** What a document was cut into for search, in reading order; each passage leads to its place. */
export function PassagesDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const t = useText('documents')
  const { id, processingStatus, chunks } = document
  const passages = useInfiniteQuery({
    ...pagesOf(documentsRoutes.passages, { params: { documentId: id }, query: { limit: 20 } }),
    staleTime: 0,
  })
  useEffect(
    () => onAccountEvent('document-changed', (changed) => changed.id === id && void refresh(documentsRoutes.passages)),
    [id],
  )
  const reason = processingStatus === 'completed' ? 'none' : processingStatus === 'failed' ? 'failed' : 'reading'
  return (
    <Dialog open onOpenChange={onClose} title={t('passages.title')} description={t('passages.text')} width="wide">
      <div className="flex flex-col gap-3">
        {processingStatus === 'completed' && chunks > 0 && (
          <p className="text-sm text-muted">{t('passages.count', { count: chunks })}</p>
        )}
        <PagedList
          pages={passages}
          label={t('passages.title')}
          failed={t('passages.notLoaded')}
          empty={
            <EmptyState icon={<TextSelect />} title={t(`passages.${reason}`)}>
              {t(`passages.${reason}Text`)}
            </EmptyState>
          }
        >
          {(passages.data ?? []).map((passage) => (
            <Passage key={passage.index} documentId={id} passage={passage} onOpen={onClose} />
          ))}
        </PagedList>
      </div>
    </Dialog>
  )
}

/** Folded to its first lines. */
function Passage({
  documentId,
  passage: { index, startChar, endChar, content, location },
  onOpen,
}: {
  documentId: string
  passage: DocumentPassage
  onOpen: () => void
}) {
  const t = useText('documents')
  const text = useId()
  const [isOpen, setOpen] = useState(false)
  const number = formatNumber(index + 1)
  const place =
    location?.number && (location.kind === 'page' || location.kind === 'slide')
      ? t(`passages.place.${location.kind}`, { number: formatNumber(location.number) })
      : location?.label
  const page = location?.kind === 'page' && location.number ? { page: location.number } : {}
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex min-h-control-small items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={text}
          onClick={() => setOpen(!isOpen)}
          className="hit flex min-w-0 flex-1 items-center gap-1.5 rounded-md text-start text-sm hover:underline"
        >
          <ChevronRight
            aria-hidden
            className={classNames('size-4 shrink-0 text-muted', isOpen && 'rotate-90 rtl:-rotate-90')}
          />
          <span className="shrink-0 font-medium">{t('passages.number', { number })}</span>
          {place && (
            <span className="min-w-0 truncate text-muted">
              · <bdi>{place}</bdi>
            </span>
          )}
        </button>
        <Link
          to={links.document(documentId, { from: startChar, to: endChar, ...page })}
          onClick={onOpen}
          aria-label={t('passages.showOf', { number })}
          className="hit inline-flex shrink-0 items-center gap-1 rounded-md text-sm text-accent-ink hover:underline"
        >
          <Eye aria-hidden className="size-4" />
          {t('passages.show')}
        </Link>
      </div>
      <p
        id={text}
        dir="auto"
        className={classNames('text-sm whitespace-pre-line text-ink/90 wrap-anywhere', !isOpen && 'line-clamp-2')}
      >
        {content}
      </p>
    </li>
  )
}
