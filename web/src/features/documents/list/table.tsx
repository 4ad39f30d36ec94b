import type { Collection, Document } from '@atrium/contract/documents'
import type { Job } from '@atrium/contract/durable-jobs'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { DocumentFailureText, DocumentState } from '../../../blocks/document-state/state.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatAgo, formatDateTime, formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { SortName } from '../search.ts'
import { useText } from 'virtual:words/documents'
import { startDrag } from './drag.ts'
import { KindIcon } from './kind-icon.tsx'
import { RowMenu } from './row-menu.tsx'
import type { Selection } from '../../../lib/use-selection.ts'
import { nameOfSort, nextSort, type Sort } from './sort.ts'
import type { DocumentList } from './use-list.ts'
import { useRows } from './use-rows.ts'
import { Where } from './where.tsx'

export interface ListProps {
  list: DocumentList
  collections: readonly Collection[]
  jobs: ReadonlyMap<string, Job>
  selection: Selection
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
}

/** Documents as a table; only the rows near the view are on the page. */
export function DocumentTable({ list, collections, jobs, selection, sort, onSort }: ListProps) {
  const t = useText('documents')
  const box = useRef<HTMLDivElement>(null)
  const { virtual, order, tabbable, onKeyDown, onFocusRow } = useRows(list, selection, box, 49)
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const selected = list.documents.filter(({ id }) => selection.ids.has(id))
  const all = selected.length === list.documents.length
  const head = (name: SortName, className?: string) => (
    <SortHead name={name} sort={sort} onSort={onSort} className={className}>
      {t(`column.${name}`)}
    </SortHead>
  )
  return (
    <div
      ref={box}
      className="@container min-h-0 flex-1 overflow-auto overscroll-contain px-4 pb-4 tab:px-6"
      onKeyDown={onKeyDown}
    >
      <table
        aria-label={t('title')}
        aria-rowcount={list.query.hasNextPage ? -1 : order.length + 1}
        className="w-full table-fixed text-base"
      >
        <thead className="sticky top-0 z-1 bg-surface text-sm">
          <tr className="border-b border-line">
            <th scope="col" className="w-8 py-2 text-start">
              <Checkbox
                aria-label={t('selection.all')}
                checked={all && selected.length > 0}
                onChange={() => selection.set(all ? [] : order)}
              />
            </th>
            {head('name')}
            <th scope="col" className={classNames(headLook, 'w-42')}>
              {t('column.state')}
            </th>
            <th scope="col" className={classNames(headLook, 'w-36 @min-[80rem]:w-56', withWhere)}>
              {t('column.where')}
            </th>
            {head('type', classNames('w-32', withType))}
            {head('pages', classNames('w-18 text-end!', withPages))}
            {head('size', classNames('w-22 text-end!', withSize))}
            {head('updated', classNames('w-30 ps-2', withUpdated))}
            <th scope="col" className="w-9">
              <span className="sr-only">{t('column.menu')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space height={before} />}
          {items.map((item) => {
            const document = list.documents[item.index] as Document
            const ticked = selection.ids.has(document.id)
            return (
              <tr
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                draggable={!document.shared}
                onDragStart={(event) => startDrag(event, document, selected)}
                className={classNames(
                  'border-b border-line align-top',
                  ticked ? 'bg-accent-soft' : 'hover:bg-hover/60',
                )}
              >
                <td className="py-2.5">
                  <Checkbox
                    aria-label={t('selection.one', { name: document.filename })}
                    checked={ticked}
                    onChange={() => undefined}
                    onClick={(event) => selection.toggle(document.id, event.shiftKey, order)}
                  />
                </td>
                <th scope="row" className="max-w-0 py-2 pe-3 text-start font-normal">
                  <DocumentLink
                    document={document}
                    tabbable={document.id === tabbable}
                    onFocus={() => onFocusRow(document.id)}
                  />
                  <DocumentFailureText document={document} className="ms-6.5 block text-sm text-danger-ink" />
                </th>
                <td className="py-3 pe-3">
                  <DocumentState document={document} job={jobs.get(document.jobId ?? '')} />
                </td>
                <td className={classNames('max-w-0 py-3 pe-3', withWhere)}>
                  <Where document={document} collections={collections} />
                </td>
                <td className={classNames('max-w-0 truncate py-3 pe-3 text-muted', withType)}>
                  {t(`document-viewer:type.${document.fileType}`)}
                </td>
                <td className={classNames(figures, withPages)}>
                  {document.parts === null ? '' : formatNumber(document.parts)}
                </td>
                <td className={classNames(figures, withSize)}>{formatSize(document.size)}</td>
                <td className={classNames('py-3 ps-2 pe-3 whitespace-nowrap text-muted', withUpdated)}>
                  <time dateTime={document.updatedAt} title={formatDateTime(document.updatedAt)}>
                    {formatAgo(document.updatedAt)}
                  </time>
                </td>
                <td className="py-2 text-end">
                  <RowMenu document={document} collections={collections} />
                </td>
              </tr>
            )
          })}
          {after > 0 && <Space height={after} />}
        </tbody>
      </table>
    </div>
  )
}

/** The name, which opens it. */
export function DocumentLink({
  document,
  tabbable,
  onFocus,
  className,
}: {
  document: Document
  tabbable: boolean
  onFocus: () => void
  className?: string
}) {
  return (
    <Link
      to={links.document(document.id)}
      data-row={document.id}
      tabIndex={tabbable ? 0 : -1}
      onFocus={onFocus}
      draggable={false}
      className={classNames('flex min-w-0 items-center gap-2.5 rounded-sm py-1 font-medium hover:underline', className)}
    >
      <KindIcon type={document.fileType} className="size-4 shrink-0 text-muted" />
      {/* In its own direction, so that a long one is cut at its end. */}
      <span dir="auto" className="truncate">
        {document.filename}
      </span>
    </Link>
  )
}

/** One cell and no more: spanning columns that are not shown would give them room, and take it from the name. */
const Space = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td style={{ height, padding: 0 }} />
  </tr>
)

function SortHead({
  name,
  sort,
  onSort,
  className,
  children,
}: {
  name: SortName
  sort: Sort | undefined
  onSort: ListProps['onSort']
  className?: string | undefined
  children: ReactNode
}) {
  const by = sort && nameOfSort(sort) === name
  const down = sort?.startsWith('-')
  const Arrow = by ? (down ? ArrowDown : ArrowUp) : ArrowUpDown
  return (
    <th
      scope="col"
      aria-sort={by ? (down ? 'descending' : 'ascending') : 'none'}
      className={classNames(headLook, className)}
    >
      <button
        type="button"
        onClick={() => onSort(nextSort(sort, name))}
        className="inline-flex items-center gap-1 rounded-sm font-medium hover:text-ink"
      >
        {children}
        <Arrow aria-hidden className={classNames('size-3.5 shrink-0', !by && 'opacity-45')} />
      </button>
    </th>
  )
}

const headLook = 'py-2 pe-3 text-start font-medium whitespace-nowrap text-muted'
const figures = 'py-3 pe-3 text-end whitespace-nowrap tabular-nums text-muted'

/** The name keeps at least 17 rem: a column stands where the table has the room for it besides. */
const withUpdated = '@max-[39rem]:hidden'
const withSize = '@max-[45rem]:hidden'
const withPages = '@max-[50rem]:hidden'
const withWhere = '@max-[58rem]:hidden'
const withType = '@max-[66rem]:hidden'
