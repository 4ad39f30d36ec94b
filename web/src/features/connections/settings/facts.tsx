import type { Connection } from '@atrium/contract/connections'
import { Users } from 'lucide-react'
import { useIsAdmin } from '../../../api/account.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatAgo } from '../../../lib/format.ts'
import { CapabilityIcon, KeyBadge } from './badges.tsx'
import { useText } from 'virtual:words/connections'

/** What is to be known of a connection in one line: whether it has its key, and what it offers. */
export function ConnectionFacts({ connection, className }: { connection: Connection; className?: string }) {
  const t = useText('connections')
  const admin = useIsAdmin()
  const { modelCount, otherCount, capabilities, shared, source, discoveredAt } = connection
  return (
    <div className={classNames('flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted', className)}>
      <KeyBadge connection={connection} />
      <span>{t('models', { count: modelCount })}</span>
      {otherCount > 0 && <span>{t('others', { count: otherCount })}</span>}
      {capabilities
        .filter((kind) => kind !== 'chat')
        .map((kind) => (
          <CapabilityIcon key={kind} kind={kind} />
        ))}
      {shared && !admin && (
        <span className="inline-flex items-center gap-1">
          <Users aria-hidden className="size-3.5" />
          {t('shared')}
        </span>
      )}
      {source !== 'installed' && <span>{t(`source.${source}`)}</span>}
      {discoveredAt && <span>{t('checked', { when: formatAgo(discoveredAt) })}</span>}
    </div>
  )
}
