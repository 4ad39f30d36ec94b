import type { DocumentText } from '@atrium/contract/documents'
import { useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { sourceUrl } from '../source-url.ts'
import { useText } from 'virtual:words/document-viewer'

/** A picture in whole, or a player for sound; its words stand in the extracted text. */
export function MediaView({ document }: { document: DocumentText }) {
  const t = useText('document-viewer')
  const [broken, setBroken] = useState(false)
  const url = sourceUrl(document.id)
  if (document.fileType === 'audio') {
    return (
      <div className="border-b border-line bg-sunken px-4 py-3">
        {/* Its transcript is the text below. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <audio controls preload="metadata" src={url} className="w-full" aria-label={document.filename} />
      </div>
    )
  }
  if (broken) return <EmptyState title={t('pictureBroken')}>{t('notDrawnText')}</EmptyState>
  return (
    <div
      role="region"
      aria-label={t('view.original')}
      // Scrolled by keys where it is larger than the page.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto bg-sunken p-4 focus-visible:outline-2"
    >
      <img
        src={url}
        alt={document.content.slice(0, 300) || document.filename}
        onError={() => setBroken(true)}
        className="mx-auto max-w-full rounded-md shadow-mid"
      />
    </div>
  )
}
