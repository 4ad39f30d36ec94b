import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { formatNumber } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'

const gaps = ['chats', 'messages', 'documents', 'failedDocuments', 'documentsWithoutVectors'] as const

/** What the search does not find yet. */
export function SearchSection({ search }: { search: InstanceReport['search'] }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('gaps.title')} text={t('gaps.about')}>
      {search ? (
        <Facts facts={gaps.map((name) => [t(`gaps.${name}`), formatNumber(search[name])])} />
      ) : (
        <Unread>{t('unread')}</Unread>
      )}
    </Section>
  )
}
