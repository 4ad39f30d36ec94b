import type { RemovalCounts as Counts } from '@atrium/contract/account-data'
import { type CountName, resourceKinds, resources } from '@atrium/contract/resources'
import { formatSize } from '../../lib/format.ts'
import { useResourceWords } from '../../lib/resources.ts'
import { useText } from 'virtual:words/removal-counts'

/** What is counted and is no kind of resource. */
const others = ['files', 'tokens', 'sessions', 'jobs', 'budgets'] as const

/** What goes with an account: how much, never what. */
export function RemovalCounts({ counts }: { counts: Counts }) {
  const t = useText('removal-counts')
  const words = useResourceWords()
  const rows = [
    ...resourceKinds
      .filter((kind) => resources[kind].counted !== undefined)
      .map((kind) => {
        const count = counts[resources[kind].counted as CountName]
        return { name: kind, count, label: words(kind, 'count', { count }) }
      }),
    ...others.map((name) => ({ name, count: counts[name], label: t(name, { count: counts[name] }) })),
  ].filter(({ count }) => count > 0)
  return (
    <div>
      <p className="text-sm font-medium">{t('title')}</p>
      {rows.length === 0 ? (
        <p className="mt-1 text-muted">{t('nothing')}</p>
      ) : (
        <ul className="mt-1.5 grid grid-cols-2 gap-x-4 gap-y-1 tab:grid-cols-3">
          {rows.map(({ name, label }) => (
            <li key={name}>
              {label}
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
