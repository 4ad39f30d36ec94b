import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { classNames } from '../../../lib/class-names.ts'
import { DataTable, Share } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { formatCores } from './processes.tsx'

type Limit = InstanceReport['limits'][number]

const shows = { bytes: formatSize, cores: formatCores, count: (value: number) => formatNumber(value) } as const
/** From here on it is said in words, too. */
const scarce = 0.9

/** Every limit beside its present value. */
export function LimitsSection({ limits }: { limits: readonly Limit[] }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('limits.title')} text={t('limits.about')}>
      <DataTable
        label={t('limits.title')}
        rows={limits}
        keyOf={({ name }) => name}
        columns={[
          { name: t('limits.what'), rowHead: true, cell: ({ name }) => t(`limits.${name}`) },
          {
            name: t('limits.value'),
            end: true,
            cell: ({ unit, value }) => (value === null ? '–' : shows[unit](value)),
          },
          {
            name: t('limits.limit'),
            end: true,
            cell: ({ unit, limit }) => (limit === null ? t('limits.none') : shows[unit](limit)),
          },
          { name: t('limits.share'), end: true, cell: (limit) => <Used limit={limit} /> },
        ]}
      />
    </Section>
  )
}

function Used({ limit: { value, limit } }: { limit: Limit }) {
  const t = useText('system-diagnostics')
  if (value === null || !limit) return '–'
  const share = value / limit
  const percent = formatNumber(share, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <Share share={share}>
      <span className={classNames(share >= scarce && 'font-medium text-danger-ink')}>
        {share >= scarce ? t('limits.scarce', { percent }) : percent}
      </span>
    </Share>
  )
}
