import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

export interface TableColumn<R> {
  name: string
  cell: (row: R) => ReactNode
  /** Figures stand at the end of their column. */
  end?: boolean
  /** Names its row. */
  rowHead?: boolean
}

/** Rows of figures; where there is no room it scrolls sideways, by keys too. */
export function DataTable<R>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string
}) {
  return (
    <div
      role="region"
      aria-label={label}
      // Scrolled by keys where it is wider than the page.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-112 overflow-auto rounded-lg border border-line focus-visible:outline-2"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 z-1 bg-sunken">
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={classNames(
                  'px-3 py-2 font-medium whitespace-nowrap text-muted',
                  column.end ? 'text-end' : 'text-start',
                  column.rowHead && `${staysInSight} z-1 bg-sunken`,
                )}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-t border-line">
              {columns.map((column) => {
                const look = classNames(
                  'px-3 py-2',
                  column.end ? 'text-end whitespace-nowrap tabular-nums' : 'max-w-80 min-w-32 text-start break-words',
                )
                return column.rowHead ? (
                  <th
                    key={column.name}
                    scope="row"
                    className={classNames(look, staysInSight, 'bg-surface font-normal')}
                  >
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} className={look}>
                    {column.cell(row)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What a row is about, while its figures are scrolled to; on a phone it would leave them no room. */
const staysInSight = 'tab:sticky tab:start-0'

/** How much of a whole, as a bar behind its words. */
export function Share({ share, children }: { share: number; children: ReactNode }) {
  return (
    <span className="flex items-center justify-end gap-2">
      <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full bg-hover max-tab:hidden">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span className="min-w-22 text-end tabular-nums">{children}</span>
    </span>
  )
}
