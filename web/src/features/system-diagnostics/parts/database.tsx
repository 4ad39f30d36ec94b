import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'

const products = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** How large the database is, what takes the room, and its connections. */
export function DatabaseSection({ database }: { database: InstanceReport['database'] }) {
  const t = useText('system-diagnostics')
  if (!database)
    return (
      <Section title={t('database.title')}>
        <Unread>{t('unread')}</Unread>
      </Section>
    )
  const { connections, tables } = database
  return (
    <Section title={t('database.title')}>
      <Facts
        facts={[
          [t('database.product'), `${products[database.dialect]} ${database.version}`],
          [t('database.size'), formatSize(database.sizeBytes)],
          [t('database.log'), database.logBytes === null ? t('database.notTold') : formatSize(database.logBytes)],
          [t('database.used'), connections && formatNumber(connections.used)],
          [t('database.waiting'), connections && formatNumber(connections.waiting)],
        ]}
      />
      <div className="mt-3">
        {tables === null ? (
          <Unread>{t('database.tooLarge')}</Unread>
        ) : (
          <DataTable
            label={t('database.tables')}
            rows={tables}
            keyOf={({ name }) => name}
            columns={[
              { name: t('database.table'), rowHead: true, cell: ({ name }) => <bdi dir="ltr">{name}</bdi> },
              { name: t('database.bytes'), end: true, cell: ({ bytes }) => formatSize(bytes) },
            ]}
          />
        )}
      </div>
    </Section>
  )
}
