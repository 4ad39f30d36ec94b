import { accessRoutes } from '@atrium/contract/access'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { pagesOf } from '../../../api/pages.ts'
import { refresh } from '../../../api/query.ts'
import { SupportSession } from '../../../blocks/support-access/support-session.tsx'
import { useText } from 'virtual:words/support-access'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'

/** Every look of an administrator into what the account has, the newest first. */
export function SupportAccess() {
  const t = useText('support-access')
  const sessions = useInfiniteQuery({
    ...pagesOf(accessRoutes.breakGlass, { query: { limit: 20 } }),
    staleTime: 0,
  })
  useEffect(() => onAccountEvent('support-access-changed', () => void refresh(accessRoutes.breakGlass)), [])
  return (
    <QueryView query={sessions} title={t('admin.notLoaded')} lines={2}>
      {(items) =>
        items.length === 0 ? (
          <p className="py-3 text-sm text-muted">{t('none')}</p>
        ) : (
          <>
            <ul>
              {items.map((session) => (
                <SupportSession key={session.id} session={session} />
              ))}
            </ul>
            <MoreButton pages={sessions} className="mt-2" />
          </>
        )
      }
    </QueryView>
  )
}
