import type { SystemReport } from '@atrium/contract/system-diagnostics'
import { factSeparator, formatDateTime, formatNumber, formatSpan } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'

/** The machine. */
export function HostCard({ host }: { host: SystemReport['host'] }) {
  const t = useText('system-diagnostics')
  const load = (value: number) => formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return (
    <Section title={t('host.title')}>
      {host ? (
        <Facts
          facts={[
            [t('host.name'), host.hostname],
            [t('host.system'), `${host.platform} ${host.release} (${host.architecture})`],
            [t('host.containerized'), host.containerized ? t('yes') : t('no')],
            [t('host.processor'), host.cpuModel],
            [t('host.cpus'), formatNumber(host.logicalCpus)],
            [t('host.load'), host.loadAverage.map(load).join(factSeparator())],
            [t('host.uptime'), formatSpan(host.uptimeMs)],
            [t('host.booted'), formatDateTime(host.bootedAt)],
          ]}
        />
      ) : (
        <Unread>{t('unread')}</Unread>
      )}
    </Section>
  )
}

/** The process that answered. */
export function ProcessCard({ runtime }: { runtime: SystemReport['runtime'] }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('process.title')}>
      {runtime ? (
        <Facts
          facts={[
            [t('process.version'), runtime.appVersion],
            [t('process.node'), runtime.nodeVersion],
            [t('process.id'), String(runtime.processId)],
            [t('process.uptime'), formatSpan(runtime.processUptimeMs)],
            [t('process.folder'), runtime.workingDirectory ?? t('process.folderGone')],
          ]}
        />
      ) : (
        <Unread>{t('unread')}</Unread>
      )}
    </Section>
  )
}
