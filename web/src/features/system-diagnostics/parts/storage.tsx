import type { SystemReport } from '@atrium/contract/system-diagnostics'
import { formatSize } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'
import { UsageBar } from './usage-bar.tsx'

/** Memory of the machine, and what this process takes of it. */
export function MemorySection({ memory, containerized }: { memory: SystemReport['memory']; containerized: boolean }) {
  const t = useText('system-diagnostics')
  if (!memory)
    return (
      <Section title={t('memory.title')}>
        <Unread>{t('unread')}</Unread>
      </Section>
    )
  return (
    <Section title={t('memory.title')} text={containerized && t('memory.ofMachine')}>
      <UsageBar name={t('memory.machine')} label={t('memory.machine')} usage={memory} />
      <div className="mt-3">
        <Facts
          facts={[
            [t('memory.process'), formatSize(memory.processRssBytes)],
            [
              t('memory.heap'),
              t('memory.of', { used: formatSize(memory.heapUsedBytes), total: formatSize(memory.heapTotalBytes) }),
            ],
            [t('memory.external'), formatSize(memory.externalBytes)],
          ]}
        />
      </div>
    </Section>
  )
}

type Filesystem = SystemReport['filesystems'][number]

/** Folders on one disk share a bar. */
export function DiskSection({ filesystems }: { filesystems: readonly Filesystem[] }) {
  const t = useText('system-diagnostics')
  const disks = groupByDisk(filesystems)
  return (
    <Section title={t('disks.title')}>
      {disks.length === 0 && <Unread>{t('disks.none')}</Unread>}
      <ul className="flex flex-col gap-4">
        {disks.map((folders) => (
          <li key={folders.map(({ path }) => path).join(' ')}>
            <UsageBar
              name={folders.map(({ label, path }) => (
                <span key={path} className="block">
                  {t(`disks.${label}`)}{' '}
                  <bdi dir="ltr" className="text-muted">
                    {path}
                  </bdi>
                </span>
              ))}
              label={folders.map(({ label }) => t(`disks.${label}`)).join(', ')}
              usage={folders[0] as Filesystem}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Disks have no names here: what has the same figures is the same one. */
const groupByDisk = (filesystems: readonly Filesystem[]): Filesystem[][] => [
  ...Map.groupBy(
    filesystems,
    ({ totalBytes, freeBytes, usedBytes }) => `${totalBytes} ${freeBytes} ${usedBytes}`,
  ).values(),
]
