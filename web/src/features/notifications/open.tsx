import { notificationsRoutes } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { useNotificationDisplay } from '../../blocks/notification-kind/kinds.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/notifications'
import { refreshNotifications } from './changes.ts'

/** `/notifications/<id>`, as push and mail lead to it: reads one, and goes on to what it is about. */
export function OpenNotification() {
  const t = useText('notifications')
  useTitle(t('title'))
  const navigate = useNavigate()
  const displayOf = useNotificationDisplay()
  const { notificationId: id } = useParams({ strict: false }) as { notificationId: string }
  const opened = useQuery({
    queryKey: ['notification opened', id],
    queryFn: () => call(notificationsRoutes.read, { params: { id } }),
    gcTime: 0,
  })
  const link = opened.data ? (displayOf(opened.data).link ?? links.notifications()) : null
  useEffect(() => {
    if (link === null) return
    void refreshNotifications()
    void navigate({ href: link, replace: true })
  }, [link, navigate])
  if (!opened.error) return <Skeleton lines={3} className="m-6" />
  return (
    <EmptyState
      pageTitle
      icon={<Bell />}
      title={t('gone')}
      action={
        <Button asChild>
          <a href={links.notifications()}>{t('toAll')}</a>
        </Button>
      }
    >
      {wordsOf(opened.error)}
    </EmptyState>
  )
}
