import type { Document } from '@atrium/contract/documents'
import { useRef } from 'react'
import { DocumentFailureText, DocumentState } from '../../../blocks/document-state/state.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { factSeparator, formatAgo, formatSize } from '../../../lib/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { useText } from 'virtual:words/documents'
import { RowMenu } from './row-menu.tsx'
import { DocumentLink, type ListProps } from './table.tsx'
import { useRows } from './use-rows.ts'
import { Where } from './where.tsx'

/** Documents as cards, where a table has no room: on phones, and on other narrow pages. */
export function DocumentCards({ list, collections, jobs, selection }: ListProps) {
  const t = useText('documents')
  const box = useRef<HTMLDivElement>(null)
  const { virtual, order, tabbable, onKeyDown, onFocusRow } = useRows(list, selection, box, 116)
  return (
    <div
      ref={box}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-4 tab:px-6"
      onKeyDown={onKeyDown}
    >
      <ul aria-label={t('title')} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const document = list.documents[item.index] as Document
          const ticked = selection.ids.has(document.id)
          return (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0 pb-2"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <div
                className={classNames(
                  'flex items-start gap-2.5 rounded-lg border px-3 py-2.5',
                  ticked ? 'border-accent-line bg-accent-soft' : 'border-line bg-raised',
                )}
              >
                <Checkbox
                  aria-label={t('selection.one', { name: document.filename })}
                  checked={ticked}
                  onChange={() => selection.toggle(document.id, false, order)}
                  className="mt-1.5"
                />
                <div className="min-w-0 flex-1">
                  <DocumentLink
                    document={document}
                    tabbable={document.id === tabbable}
                    onFocus={() => onFocusRow(document.id)}
                  />
                  <div className="mt-0.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
                    <DocumentState document={document} job={jobs.get(document.jobId ?? '')} />
                    <span className="text-sm text-muted">
                      {[
                        formatSize(document.size),
                        document.parts !== null && t('parts', { count: document.parts }),
                        formatAgo(document.updatedAt),
                      ]
                        .filter(Boolean)
                        .join(factSeparator())}
                    </span>
                  </div>
                  <DocumentFailureText document={document} className="mt-1 block text-sm text-danger-ink" />
                  <div className="mt-1 text-sm">
                    <Where document={document} collections={collections} />
                  </div>
                </div>
                <RowMenu document={document} collections={collections} />
              </div>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
