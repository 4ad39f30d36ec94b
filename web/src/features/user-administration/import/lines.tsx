import type { ImportLine, ImportResult } from '@atrium/contract/user-administration'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { DataTable } from '../../../ui/data-table.tsx'
import { useText } from 'virtual:words/user-administration-import'

/** Each line of the table, with what is wrong with it; those with faults first. */
export function ImportLines({ people, results }: { people: readonly ImportLine[]; results: readonly ImportResult[] }) {
  const t = useText('user-administration-import')
  const sorted = results.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0))
  const rows = sorted.flatMap((result) => {
    const line = people[result.index]
    return line ? [{ line, result }] : []
  })
  const plain = (text: string) => <bdi className="[overflow-wrap:anywhere]">{text}</bdi>
  return (
    <DataTable
      label={t('lines')}
      rows={rows}
      keyOf={({ result }) => String(result.index)}
      columns={[
        // The names of the columns stand in the first line of the file.
        { name: t('column.line'), end: true, cell: ({ result }) => result.index + 2 },
        { name: t('column.username'), cell: ({ line }) => plain(line.username) },
        { name: t('column.email'), cell: ({ line }) => plain(line.email) },
        { name: t('column.groups'), cell: ({ line }) => plain(line.groups.join(', ')) },
        {
          name: t('column.state'),
          cell: ({ result }) =>
            result.faults.length === 0 ? (
              <span className="inline-flex items-center gap-1.5 text-ok-ink">
                <CircleCheck aria-hidden className="size-4 shrink-0" />
                {t('good')}
              </span>
            ) : (
              <span className="inline-flex items-start gap-1.5 text-danger-ink">
                <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
                {result.faults.map(({ field, code }) => t(`wrong.${field}.${code}`)).join(' ')}
              </span>
            ),
        },
      ]}
    />
  )
}
