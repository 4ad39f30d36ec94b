import { useMemo } from 'react'
import { useText } from 'virtual:words/artifact'
import { parseCsv } from '../../lib/csv.ts'

const mostRows = 1000
const mostColumns = 100

/** A table of values, its first row as the names of the columns. */
export function CsvGrid({ text, label }: { text: string; label: string }) {
  const t = useText('artifact')
  const [names = [], ...all] = useMemo(() => parseCsv(text), [text])
  const values = all.slice(0, mostRows)
  const columns = Math.min(mostColumns, Math.max(names.length, ...values.map((row) => row.length)))
  const places = Array.from({ length: columns }, (_, at) => at)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div tabIndex={0} role="region" aria-label={label} className="min-h-0 flex-1 overflow-auto">
        <table className="border-separate border-spacing-0 text-sm">
          <thead>
            <tr>
              {places.map((at) => (
                <th
                  key={at}
                  scope="col"
                  dir="auto"
                  className="sticky top-0 max-w-80 truncate border-e border-b border-line bg-sunken px-2.5 py-1.5 text-start font-medium"
                >
                  {names[at]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {values.map((row, index) => (
              <tr key={index}>
                {places.map((at) => (
                  <td key={at} dir="auto" className="max-w-80 truncate border-e border-b border-line px-2.5 py-1">
                    {row[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="shrink-0 border-t border-line px-3 py-1.5 text-sm text-muted">
        {t('rows', { count: all.length })}
        {all.length > mostRows && ` · ${t('rowsShown', { count: mostRows })}`}
      </p>
    </div>
  )
}
