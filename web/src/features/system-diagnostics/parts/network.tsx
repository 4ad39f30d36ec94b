import type { SystemReport } from '@atrium/contract/system-diagnostics'
import { formatSize } from '../../../lib/format.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Unread } from './facts.tsx'

type Interface = SystemReport['network']['interfaces'][number]

/** Interfaces with their addresses, and what went through them. */
export function NetworkSection({ interfaces }: { interfaces: readonly Interface[] }) {
  const t = useText('system-diagnostics')
  const size = (bytes: number | undefined) => (bytes === undefined ? '–' : formatSize(bytes))
  return (
    <Section title={t('network.title')}>
      {interfaces.length === 0 ? (
        <Unread>{t('network.none')}</Unread>
      ) : (
        <DataTable
          label={t('network.title')}
          rows={interfaces}
          keyOf={({ name }) => name}
          columns={[
            { name: t('network.name'), rowHead: true, cell: ({ name }) => <bdi>{name}</bdi> },
            { name: t('network.addresses'), cell: ({ addresses }) => <Addresses addresses={addresses} /> },
            { name: t('network.received'), end: true, cell: ({ receivedBytes }) => size(receivedBytes) },
            { name: t('network.transmitted'), end: true, cell: ({ transmittedBytes }) => size(transmittedBytes) },
          ]}
        />
      )}
    </Section>
  )
}

function Addresses({ addresses }: { addresses: Interface['addresses'] }) {
  if (addresses.length === 0) return '–'
  return addresses.map(({ address, cidr }) => (
    <span key={address} className="block tabular-nums">
      <bdi dir="ltr">{cidr ?? address}</bdi>
    </span>
  ))
}
