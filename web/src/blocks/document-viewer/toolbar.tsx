import type { DocumentText } from '@atrium/contract/documents'
import { ChevronDown, ChevronUp, Download, Search, X } from 'lucide-react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { sourceUrl } from '../source-url.ts'
import { useText } from 'virtual:words/document-viewer'
import type { Finder } from './use-finder.ts'

export type ViewMode = 'original' | 'text' | 'both'

/** What it is called and how large it is, which of its forms is shown, and looking for words in it. */
export function Toolbar({
  document,
  shown,
  views,
  onShow,
  finder,
  onClose,
}: {
  document: DocumentText
  shown: ViewMode
  views: readonly ViewMode[]
  onShow: (shown: ViewMode) => void
  finder: Finder
  onClose?: (() => void) | undefined
}) {
  const t = useText('document-viewer')
  const facts = [
    t(`type.${document.fileType}`),
    formatSize(document.size),
    document.parts !== null && document.fileType === 'pdf' && t('pages', { count: document.parts }),
    document.tokens > 0 && t('tokens', { count: document.tokens, tokens: formatNumber(document.tokens) }),
  ].filter(Boolean)
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2.5">
      <div className="min-w-40 flex-1">
        <h2 dir="auto" className="truncate text-md font-semibold">
          {document.filename}
        </h2>
        <p className="truncate text-sm text-muted">{facts.join(' · ')}</p>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2 max-tab:order-last max-tab:w-full">
        {views.length > 0 && (
          <SegmentedControl
            label={t('view.label')}
            value={shown}
            onChange={onShow}
            options={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          />
        )}
        <Find finder={finder} />
      </div>
      <div className="flex items-center gap-1">
        <a
          href={sourceUrl(document.id)}
          download={document.filename}
          className="inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
          aria-label={t('download')}
          title={t('download')}
        >
          <Download aria-hidden className="size-4" />
        </a>
        {onClose && <IconButton label={t('close')} icon={<X />} onClick={onClose} tooltipSide="none" />}
      </div>
    </header>
  )
}

function Find({ finder }: { finder: Finder }) {
  const t = useText('document-viewer')
  const { words, hits, index } = finder
  return (
    <search className="flex min-w-0 items-center gap-0.5 max-tab:flex-1">
      <Input
        type="search"
        icon={<Search />}
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        value={words}
        onChange={(event) => finder.setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finder.step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape' && words) {
            event.preventDefault()
            event.stopPropagation()
            finder.setWords('')
          }
        }}
        className="w-44 max-tab:w-full max-tab:min-w-24"
      />
      {words.trim().length > 1 && (
        <>
          <output className="px-1 text-sm whitespace-nowrap text-muted tabular-nums">
            {hits.length
              ? t('find.at', { at: formatNumber(index + 1), all: formatNumber(hits.length) })
              : t('find.nothing')}
          </output>
          <IconButton
            label={t('find.previous')}
            icon={<ChevronUp />}
            size="small"
            disabled={hits.length === 0}
            onClick={() => finder.step(-1)}
          />
          <IconButton
            label={t('find.next')}
            icon={<ChevronDown />}
            size="small"
            disabled={hits.length === 0}
            onClick={() => finder.step(1)}
          />
        </>
      )}
    </search>
  )
}
