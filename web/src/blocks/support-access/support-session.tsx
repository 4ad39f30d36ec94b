import { accessRoutes, type BreakGlass, type BreakGlassUse } from '@atrium/contract/access'
import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { type ResourceWords, useResourceWords } from '../../lib/resources.ts'
import type { Translate } from '../../lib/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/support-access'

/** One look of an administrator into what somebody has: who, why, until when, and what was opened. */
export function SupportSession({ session, children }: { session: BreakGlass; children?: ReactNode }) {
  const t = useText('support-access')
  const [open, setOpen] = useState(false)
  const name = session.administrator.name || t('byGone')
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <Eye aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">{t(session.active ? 'by' : 'was', { name })}</span>
        <Badge tone={session.active ? 'warn' : 'plain'}>{t(session.active ? 'active' : 'ended')}</Badge>
      </p>
      <p className="mt-1 wrap-anywhere">{t('reason', { reason: session.reason })}</p>
      <p className="text-sm text-muted">
        {t('from', {
          start: formatDateTime(session.startedAt),
          end: formatDateTime(session.endedAt ?? session.expiresAt),
        })}
        {' · '}
        {session.openedCount > 0 ? t('opened', { count: session.openedCount }) : t('nothingOpened')}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'hide' : 'show')}
        </Button>
        {children}
      </div>
      {open && <Uses session={session} />}
    </li>
  )
}

function Uses({ session: { id, openedCount } }: { session: BreakGlass }) {
  const t = useText('support-access')
  const words = useResourceWords()
  const uses = useQuery({
    ...queryOf(accessRoutes.breakGlassUses, { params: { id }, query: { limit: 200 } }),
    queryKey: ['support-access', 'uses', id, openedCount],
    staleTime: 0,
  })
  if (uses.isError) return <p className="mt-2 text-sm text-danger-ink">{wordsOf(uses.error)}</p>
  if (!uses.data) return <Skeleton lines={2} className="mt-2" />
  if (uses.data.items.length === 0) return <p className="mt-2 text-sm text-muted">{t('nothingOpened')}</p>
  return (
    <ul className="mt-2 flex flex-col gap-1 text-sm">
      {uses.data.items.map((use) => (
        <li key={`${use.resourceType} ${use.resourceId}`} className="flex flex-wrap gap-x-2">
          <span className="min-w-0 wrap-anywhere">
            <bdi>{titleOf(use, t, words)}</bdi>
          </span>
          <span className="text-muted">{formatDateTime(use.openedAt)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Only the owner is told names; to others an id says which thing it was. */
const titleOf = (use: BreakGlassUse, t: Translate, words: ResourceWords): string =>
  use.resourceId === null
    ? t('list', { kind: words(use.resourceType, 'many') })
    : (use.name ?? `${words(use.resourceType, 'many')} · ${use.resourceId}`)
