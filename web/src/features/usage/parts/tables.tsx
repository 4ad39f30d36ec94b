import type { UsageReport } from '@atrium/contract/usage'
import { formatDuration, formatMoney, formatNumber } from '../../../lib/format.ts'
import { formatPercent, formatCompact } from '../figures.ts'
import type { FilterName } from '../search.ts'
import { useText } from 'virtual:words/usage'
import { Section } from '../../../ui/section.tsx'
import { type TableColumn, DataTable, Share } from '../../../ui/data-table.tsx'

type Sums =
  | UsageReport['plugins'][number]
  | UsageReport['accounts'][number]
  | UsageReport['groups'][number]
  | UsageReport['capabilities'][number]
type Narrow = ((name: FilterName, value: string) => void) | undefined

interface Common {
  calls: number
  currency: string
  /** Shows only the calls of a row. */
  onNarrow?: Narrow
}

export function ModelTable({ rows, ...rest }: Common & { rows: UsageReport['models'] }) {
  const t = useText('usage')
  const columns = useColumns<UsageReport['models'][number]>(rest)
  return (
    <Section id="models" title={t('table.models')}>
      <DataTable
        label={t('table.models')}
        rows={rows}
        keyOf={(row) => `${row.pluginId} ${row.model}`}
        columns={[
          {
            name: t('table.model'),
            rowHead: true,
            cell: (row) => (
              <>
                <Name text={row.model} onClick={narrow(rest.onNarrow, 'model', row.model)} />
                <span className="block text-xs text-muted">
                  <bdi>{row.pluginName}</bdi>
                </span>
              </>
            ),
          },
          ...columns,
          {
            name: t('table.p95'),
            end: true,
            cell: (row) =>
              row.latency ? `${formatDuration(row.latency.p50)} / ${formatDuration(row.latency.p95)}` : '–',
          },
          {
            name: t('totals.firstToken'),
            end: true,
            cell: (row) => (row.averageFirstTokenMs === null ? '–' : formatDuration(row.averageFirstTokenMs)),
          },
        ]}
      />
    </Section>
  )
}

export function ProviderTable({ rows, ...rest }: Common & { rows: UsageReport['plugins'] }) {
  const t = useText('usage')
  const columns = useColumns<UsageReport['plugins'][number]>(rest)
  return (
    <Section title={t('table.providers')}>
      <DataTable
        label={t('table.providers')}
        rows={rows}
        keyOf={(row) => row.pluginId}
        columns={[
          {
            name: t('table.provider'),
            rowHead: true,
            cell: (row) => <Name text={row.pluginName} onClick={narrow(rest.onNarrow, 'providerId', row.pluginId)} />,
          },
          ...columns,
        ]}
      />
    </Section>
  )
}

export function AccountTable({ rows, ...rest }: Common & { rows: UsageReport['accounts'] }) {
  const t = useText('usage')
  const columns = useColumns<UsageReport['accounts'][number]>(rest)
  return (
    <Section title={t('table.accounts')}>
      <DataTable
        label={t('table.accounts')}
        rows={rows}
        keyOf={(row) => row.accountId}
        columns={[
          {
            name: t('table.account'),
            rowHead: true,
            cell: (row) => (
              <Name
                text={row.username ?? t('table.unknown')}
                onClick={narrow(rest.onNarrow, 'accountId', row.accountId)}
              />
            ),
          },
          ...columns,
        ]}
      />
    </Section>
  )
}

export function GroupTable({ rows, ...rest }: Common & { rows: UsageReport['groups'] }) {
  const t = useText('usage')
  const columns = useColumns<UsageReport['groups'][number]>(rest)
  return (
    <Section title={t('table.groups')}>
      <p className="mb-2 text-sm text-muted">{t('table.groupsAbout')}</p>
      <DataTable
        label={t('table.groups')}
        rows={rows}
        keyOf={(row) => row.groupId}
        columns={[
          {
            name: t('table.group'),
            rowHead: true,
            cell: (row) => <Name text={row.name} onClick={narrow(rest.onNarrow, 'groupId', row.groupId)} />,
          },
          ...columns,
        ]}
      />
    </Section>
  )
}

/** Why calls failed. */
export function FailureTable({ rows, errors }: { rows: UsageReport['failures']; errors: number }) {
  const t = useText('usage')
  return (
    <Section id="failures" title={t('table.failures')}>
      <DataTable
        label={t('table.failures')}
        rows={rows}
        keyOf={(row) => row.errorClass}
        columns={[
          { name: t('table.errorClass'), rowHead: true, cell: (row) => t(`errorClass.${row.errorClass}`) },
          {
            name: t('table.calls'),
            end: true,
            cell: (row) => (
              <Share share={row.calls / errors}>
                {formatNumber(row.calls)} <span className="text-muted">{formatPercent(row.calls / errors)}</span>
              </Share>
            ),
          },
        ]}
      />
    </Section>
  )
}

export function CapabilityTable({ rows, ...rest }: Common & { rows: UsageReport['capabilities'] }) {
  const t = useText('usage')
  const columns = useColumns<UsageReport['capabilities'][number]>(rest)
  return (
    <Section title={t('table.capabilities')}>
      <DataTable
        label={t('table.capabilities')}
        rows={rows}
        keyOf={(row) => row.capability}
        columns={[
          {
            name: t('table.capability'),
            rowHead: true,
            cell: (row) => (
              <Name
                text={t(`capability.${row.capability}`)}
                onClick={narrow(rest.onNarrow, 'capability', row.capability)}
              />
            ),
          },
          ...columns,
          {
            name: t('table.units'),
            end: true,
            cell: (row) => {
              const count = row.outputUnits || row.inputUnits
              return row.unitKind ? t(`unit.${row.unitKind}`, { count, amount: formatCompact(count) }) : '–'
            },
          },
        ]}
      />
    </Section>
  )
}

/** The columns that all of them have. */
function useColumns<R extends Sums>({ calls, currency }: Common): TableColumn<R>[] {
  const t = useText('usage')
  return [
    {
      name: t('table.calls'),
      end: true,
      cell: (row) => (
        <Share share={calls === 0 ? 0 : row.calls / calls}>
          {formatNumber(row.calls)}{' '}
          <span className="text-muted">{formatPercent(calls === 0 ? 0 : row.calls / calls)}</span>
        </Share>
      ),
    },
    { name: t('table.errors'), end: true, cell: (row) => formatNumber(row.errors) },
    { name: t('table.tokens'), end: true, cell: (row) => (row.meteredCalls === 0 ? '–' : formatNumber(row.tokens)) },
    {
      name: t('table.cost'),
      end: true,
      cell: (row) => (
        <>
          {row.cost === null ? '' : formatMoney(row.cost, currency)}
          {row.unpricedCalls > 0 && (
            <span className="block text-xs text-muted">
              {row.cost === null ? t('table.unpriced') : t('table.partly', { count: row.unpricedCalls })}
            </span>
          )}
          {row.cost === null && row.unpricedCalls === 0 && '–'}
        </>
      ),
    },
    {
      name: t('totals.latency'),
      end: true,
      cell: (row) => (row.averageLatencyMs === null ? '–' : formatDuration(row.averageLatencyMs)),
    },
  ]
}

const narrow = (onNarrow: Narrow, name: FilterName, value: string) => onNarrow && (() => onNarrow(name, value))

function Name({ text, onClick }: { text: string; onClick?: (() => void) | undefined }) {
  const t = useText('usage')
  if (!onClick) return <bdi>{text}</bdi>
  return (
    <button
      type="button"
      title={t('filter.only', { name: text })}
      className="text-start underline decoration-line-strong underline-offset-3 hover:text-accent-ink"
      onClick={onClick}
    >
      <bdi>{text}</bdi>
    </button>
  )
}
