import { type Notification, type NotificationDelivery, notificationsRoutes } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/notifications'

/** By which ways a notification reached its reader, and why not by the others. */
export function WhyDialog({
  notification,
  title,
  onClose,
}: {
  notification: Notification
  title: string
  onClose: () => void
}) {
  const t = useText('notifications')
  const params = { id: notification.id }
  const deliveries = useQuery({ ...queryOf(notificationsRoutes.deliveries, { params }), staleTime: 0 })
  return (
    <Dialog open onOpenChange={onClose} width="narrow" title={t('why.title')} description={title}>
      {deliveries.isPending && <Skeleton className="h-28" />}
      {deliveries.error && (
        <ErrorCard
          title={t('why.failed')}
          details={detailsOf(deliveries.error)}
          onRetry={() => void deliveries.refetch()}
        >
          {wordsOf(deliveries.error)}
        </ErrorCard>
      )}
      {deliveries.data && (
        <dl className="divide-y divide-line">
          {deliveries.data.items.map((delivery) => (
            <div key={delivery.way} className="flex flex-wrap gap-x-4 gap-y-1 py-2.5">
              <dt className="w-32 shrink-0 font-medium">{t(`why.way.${delivery.way}`)}</dt>
              <dd className="min-w-44 flex-1 text-muted">{sentenceOf(delivery, t)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="pt-3">
        <Link
          to={links.settings('notifications', 'kinds')}
          className="text-accent-ink underline underline-offset-2"
          onClick={onClose}
        >
          {t('why.toSettings')}
        </Link>
      </p>
    </Dialog>
  )
}

const sentenceOf = (
  { way, state, reason, at }: NotificationDelivery,
  t: (key: string, values?: Record<string, string>) => string,
): string => {
  const when = formatDateTime(at)
  if (state === 'sent') return t(reason === 'digest' ? 'why.sentInDigest' : 'why.sent', { when })
  if (state === 'waiting') return t(`why.waiting.${reason ?? 'queue'}`, { when })
  if (reason === 'no-destination') return t(`why.noDestination.${way}`)
  return t(`why.notSent.${reason ?? 'refused'}`)
}
