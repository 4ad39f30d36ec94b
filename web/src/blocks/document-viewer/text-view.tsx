import type { DocumentText } from '@atrium/contract/documents'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/select.tsx'
import { blocksOf, lastBefore, piecesOf, type TextRange } from './text-ranges.ts'
import { useText } from 'virtual:words/document-viewer'
import type { Finder } from './use-finder.ts'

const mono = new Set(['code', 'json', 'csv', 'xlsx', 'ods'])
const mostSections = 3000

/** The text that was read, however long: only what is in sight is on the page. */
export function TextView({
  document,
  passage,
  keys,
  finder,
}: {
  document: DocumentText
  passage: TextRange | null
  /** The sentences of the passage that matter most. */
  keys: readonly TextRange[]
  finder: Finder
}) {
  const t = useText('document-viewer')
  const { content, segments } = document
  const blocks = useMemo(() => blocksOf(content, segments), [content, segments])
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => {
      const block = blocks[index]
      return block ? 24 + Math.ceil((block.end - block.start) / 80) * 22 : 100
    },
    overscan: 3,
    useFlushSync: false,
  })
  const wanted = finder.hit ?? keys[0] ?? passage
  const wantedMark = finder.hit ? 'current' : keys.length > 0 ? 'key' : 'passage'
  const goTo = useRef(virtual.scrollToIndex)
  goTo.current = virtual.scrollToIndex
  useEffect(() => {
    if (!wanted || blocks.length === 0) return
    goTo.current(
      Math.max(
        0,
        lastBefore(blocks, wanted.start, (block) => block.start),
      ),
      { align: 'start' },
    )
    // Once the block is on the page, its mark is brought into sight.
    let tries = 0
    const timer = setInterval(() => {
      const mark = box.current?.querySelector('[data-wanted]')
      if (mark) mark.scrollIntoView({ block: 'center' })
      if (++tries > 5) clearInterval(timer)
    }, 60)
    return () => clearInterval(timer)
  }, [wanted, blocks])

  if (content.length === 0) {
    const done = document.processingStatus === 'completed'
    return <EmptyState title={done ? t('noText') : t('noTextYet')} />
  }
  const items = virtual.getVirtualItems()
  const top = items.find((item) => item.end > (virtual.scrollOffset ?? 0) + 40) ?? items[0]
  const here = lastBefore(segments, blocks[top?.index ?? 0]?.start ?? 0, (segment) => segment.startChar)
  return (
    <>
      {segments.length > 1 && segments.length <= mostSections && (
        <div className="shrink-0 border-b border-line px-4 py-1.5">
          <Select
            aria-label={t('section')}
            value={String(Math.max(0, here))}
            onChange={(value) => {
              const segment = segments[Number(value)]
              if (segment)
                virtual.scrollToIndex(
                  lastBefore(blocks, segment.startChar, (block) => block.start),
                  { align: 'start' },
                )
            }}
            options={segments.map((segment, index) => ({ value: String(index), label: segment.label || '—' }))}
            className="w-64 max-w-full"
          />
        </div>
      )}
      <div
        ref={box}
        role="region"
        aria-label={t('view.text')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 focus-visible:-outline-offset-2"
      >
        <div className="relative mx-auto max-w-text" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const block = blocks[item.index]
            if (!block) return null
            const segment = block.segment === null ? undefined : segments[block.segment]
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {segment?.label && segments.length > 1 && (
                  <p className="pt-3 pb-1 text-xs font-medium text-muted">
                    <bdi>{segment.label}</bdi>
                  </p>
                )}
                <div
                  dir={document.fileType === 'code' || document.fileType === 'json' ? 'ltr' : 'auto'}
                  className={classNames(
                    'break-words whitespace-pre-wrap',
                    mono.has(document.fileType) ? 'font-mono text-sm' : 'text-md',
                  )}
                >
                  {piecesOf(content, block, passage, finder.hits, finder.hit, keys).map((piece, at) =>
                    piece.mark === null ? (
                      piece.text
                    ) : (
                      <mark
                        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have only their place.
                        key={at}
                        data-wanted={piece.mark === wantedMark || undefined}
                        className={marks[piece.mark]}
                      >
                        {piece.text}
                      </mark>
                    ),
                  )}
                </div>
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

const marks = {
  passage: 'rounded-xs bg-accent-soft/55 text-ink',
  key: 'rounded-xs bg-accent-soft text-ink underline decoration-accent-line decoration-2 underline-offset-3',
  hit: 'rounded-xs bg-warn-soft text-warn-ink',
  current: 'rounded-xs bg-accent text-on-accent',
}
