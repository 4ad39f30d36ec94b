import { type Webhook, type WebhookDelivery, webhooksRoutes } from '@atrium/contract/webhooks'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { refresh } from '../../../api/query.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/webhooks'

/** What a webhook was told, newest first. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useText('webhooks')
  const pages = useInfiniteQuery({
    ...pagesOf(webhooksRoutes.webhookDeliveries, { params: { webhookId: webhook.id }, query: { limit: 30 } }),
    staleTime: 0,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="wide"
      title={t('deliveriesTitle', { name: webhook.name })}
      description={t('deliveriesText')}
      footer={
        <Button busy={pages.isRefetching} onClick={() => void pages.refetch()}>
          {t('reload')}
        </Button>
      }
    >
      <PagedList
        pages={pages}
        label={t('deliveries')}
        failed={t('deliveriesFailed')}
        empty={<p className="py-3 text-muted">{t('noDeliveries')}</p>}
      >
        {(pages.data ?? []).map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
        ))}
      </PagedList>
    </Dialog>
  )
}

const tones = { delivered: 'ok', waiting: 'info', failed: 'danger' } as const

function DeliveryRow({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const t = useText('webhooks')
  const { id, type, state, tries, status, failure, createdAt, nextTryAt } = delivery
  const retry = useMutation({
    mutationFn: () => call(webhooksRoutes.redeliver, { params: { webhookId: webhook.id, deliveryId: id }, body: {} }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(webhooksRoutes.webhookDeliveries),
  })
  const came = status === null ? failure && t(`failure.${failure}`) : t('status', { status })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <code dir="ltr" className="font-mono text-xs">
            {type}
          </code>
          <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
        </p>
        <p className="text-sm text-muted">
          <span title={formatDateTime(createdAt)}>{formatAgo(createdAt)}</span>
          {' · '}
          {t('tries', { count: tries })}
          {came && ` · ${came}`}
          {nextTryAt && tries > 0 && ` · ${t('nextTry', { when: formatAgo(nextTryAt) })}`}
        </p>
      </div>
      {state !== 'waiting' && webhook.enabled && (
        <Button
          size="small"
          busy={retry.isPending}
          icon={<RotateCw className="size-3.5" />}
          aria-label={t('retryNamed', { type })}
          onClick={() => retry.mutate()}
        >
          {t('retry')}
        </Button>
      )}
    </li>
  )
}
