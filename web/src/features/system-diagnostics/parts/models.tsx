import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { formatSize } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'

/** What the local runtime holds in memory. */
export function ModelsSection({ models }: { models: InstanceReport['models'] }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('models.title')}>
      {models === null ? (
        <Unread>{t('models.away')}</Unread>
      ) : models.length === 0 ? (
        <Unread>{t('models.none')}</Unread>
      ) : (
        <Facts
          facts={models.map(({ name, sizeBytes, vramBytes }) => [
            name,
            t('models.size', { size: formatSize(sizeBytes), vram: formatSize(vramBytes) }),
          ])}
        />
      )}
    </Section>
  )
}
