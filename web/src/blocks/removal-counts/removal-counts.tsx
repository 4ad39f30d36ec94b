import type { RemovalCounts as Counts } from '@atrium/contract/account-data'
import { formatSize } from '../../lib/format.ts'
import { useText } from 'virtual:words/removal-counts'

const shown = [
  'chats',
  'messages',
  'documents',
  'collections',
  'files',
  'tokens',
  'sessions',
  'jobs',
  'budgets',
] as const

/** What goes with an account: how much, never what. */
export function RemovalCounts({ counts }: { counts: Counts }) {
  const t = useText('removal-counts')
  const there = shown.filter((name) => counts[name] > 0)
  return (
    <div>
      <p className="text-sm font-medium">{t('title')}</p>
      {there.length === 0 ? (
        <p className="mt-1 text-muted">{t('nothing')}</p>
      ) : (
        <ul className="mt-1.5 grid grid-cols-2 gap-x-4 gap-y-1 tab:grid-cols-3">
          {there.map((name) => (
            <li key={name}>
              {t(`${name}`, { count: counts[name] })}
              {name === 'files' && <span className="text-muted"> ({formatSize(counts.bytes)})</span>}
            </li>
          ))}
        </ul>
      )}
      {counts.shared > 0 && (
        <p className="mt-2 text-sm text-warn-ink">
          {t('shared', { count: counts.shared })} {t('losing', { count: counts.losingAccess })}
        </p>
      )}
    </div>
  )
}
