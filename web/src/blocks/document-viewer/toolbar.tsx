import type { DocumentText } from '@atrium/contract/documents'
import { Link } from '@tanstack/react-router'
import { Download, Maximize2, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { factSeparator, formatNumber, formatSize } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ReadAloudButton } from '../read-aloud/button.tsx'
import { sourceUrl } from '../source-url.ts'
import { MoreMenu } from './more-menu.tsx'
import type { Zoom } from './page-bar.tsx'
import { useText } from 'virtual:words/document-viewer'
import { FindField } from './find-field.tsx'
import type { Finder } from './use-finder.ts'
import { useWide } from './use-wide.ts'

export type ViewMode = 'original' | 'text' | 'both'

/** One row: what it is called, the page in sight, which of its forms is shown, looking for words, and what to do with it. */
export function Toolbar({
  document,
  shown,
  views,
  onShow,
  zoom,
  onZoom,
  finder,
  compact,
  readFrom,
  onBar,
  lead,
  tools,
  fullLink,
}: {
  document: DocumentText
  shown: ViewMode
  views: readonly ViewMode[]
  onShow: (shown: ViewMode) => void
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  finder: Finder
  /** In a pane or on a phone: the rest stands in a menu. */
  compact: boolean
  /** Where the passage begins that is looked at: it is read aloud from there. */
  readFrom: number
  /** Takes the place for the page in sight. */
  onBar: (place: HTMLElement | null) => void
  lead?: ReactNode
  tools?: ReactNode
  /** The page of this document, where it is shown elsewhere. */
  fullLink?: string | undefined
}) {
  const t = useText('document-viewer')
  const [finding, setFinding] = useState(false)
  // Where the name would get too short, finding takes its place when it is wanted.
  const [header, roomy] = useWide(1080)
  const hidden = !roomy && finding
  const facts = [
    t(`type.${document.fileType}`),
    formatSize(document.size),
    document.parts !== null && document.fileType === 'pdf' && t('pages', { count: document.parts }),
    document.tokens > 0 && t('tokens', { count: document.tokens, tokens: formatNumber(document.tokens) }),
  ].filter(Boolean)
  const reading = {
    id: `document ${document.id}`,
    title: document.filename,
    find: () => document.content.slice(readFrom),
  }
  const toggle = () => {
    if (finding) finder.setWords('')
    setFinding(!finding)
  }
  return (
    <header ref={header} className="flex h-12 shrink-0 items-center gap-1.5 border-b border-line ps-3 pe-2">
      {lead}
      <div className={classNames('min-w-0 flex-1', hidden && 'sr-only')}>
        <h2 dir="auto" title={document.filename} className="truncate text-md font-semibold">
          {document.filename}
        </h2>
        <p className={compact ? 'sr-only' : 'truncate text-xs text-muted'}>{facts.join(factSeparator())}</p>
      </div>
      <div ref={onBar} className={hidden ? 'hidden' : 'contents'} />
      {!compact && views.length > 0 && (
        <SegmentedControl
          label={t('view.label')}
          value={shown}
          onChange={onShow}
          options={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          className="flex-nowrap!"
        />
      )}
      {(roomy || finding) && <FindField finder={finder} grows={!roomy} onEnd={roomy ? undefined : toggle} />}
      {!roomy && <IconButton label={t('find.label')} icon={<Search />} pressed={finding} onClick={toggle} />}
      {tools}
      {fullLink && (
        <Link to={fullLink} aria-label={t('openFull')} title={t('openFull')} className={iconLink}>
          <Maximize2 aria-hidden className="size-4" />
        </Link>
      )}
      {!compact && document.content && <ReadAloudButton {...reading} />}
      {compact ? (
        <MoreMenu
          document={document}
          reading={reading}
          shown={shown}
          views={views}
          onShow={onShow}
          zoom={zoom}
          onZoom={onZoom}
        />
      ) : (
        <a
          href={sourceUrl(document.id)}
          download={document.filename}
          className={iconLink}
          aria-label={t('download')}
          title={t('download')}
        >
          <Download aria-hidden className="size-4" />
        </a>
      )}
    </header>
  )
}

const iconLink =
  'hit inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink'
