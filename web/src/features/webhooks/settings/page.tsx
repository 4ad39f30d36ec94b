import { mostWebhooks, type Webhook as OneWebhook, type WebhookOwner, webhooksRoutes } from '@atrium/contract/webhooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { DeliveriesDialog } from './deliveries.tsx'
import { WebhookForm } from './form.tsx'
import { WebhookRow } from './row.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useText } from 'virtual:words/webhooks'

onAccountEvent('webhooks-changed', () => {
  void refresh(webhooksRoutes.webhooks)
  void refresh(webhooksRoutes.webhookDeliveries)
})

export const OwnWebhooks = () => <Webhooks of="account" id="list" />
export const InstanceWebhooks = () => <Webhooks of="instance" id="instanceList" />

/** The window that is open, and what it is about. */
type Asked =
  | { what: 'form'; webhook: OneWebhook | null }
  | { what: 'test' | 'deliveries'; webhook: OneWebhook }
  | { what: 'rotate' | 'remove'; webhook: OneWebhook }
  | null

const isConfirmed = (asked: NonNullable<Asked>): asked is Extract<Asked, { what: 'rotate' | 'remove' }> =>
  asked.what === 'rotate' || asked.what === 'remove'

/** The webhooks of one owner. */
function Webhooks({ of, id }: { of: WebhookOwner; id: string }) {
  const t = useText('webhooks')
  const list = useQuery({ ...queryOf(webhooksRoutes.webhooks, { query: { of } }), staleTime: 0 })
  const [asked, setAsked] = useState<Asked>(null)
  const [shown, setShown] = useState<{ webhook: OneWebhook; secret: string } | null>(null)
  const close = () => setAsked(null)
  const act = useMutation({
    mutationFn: async ({ what, webhook }: { what: 'rotate' | 'remove'; webhook: OneWebhook }) => {
      const params = { webhookId: webhook.id }
      if (what === 'remove') await call(webhooksRoutes.removeWebhook, { params })
      else setShown(await call(webhooksRoutes.rotateWebhookSecret, { params, body: {} }))
    },
    onSuccess: close,
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(webhooksRoutes.webhooks),
  })
  const create = (
    <Button
      tone="primary"
      icon={<Plus className="size-4" />}
      disabled={(list.data?.items.length ?? 0) >= mostWebhooks}
      onClick={() => setAsked({ what: 'form', webhook: null })}
    >
      {t('create')}
    </Button>
  )
  return (
    <section id={id} className="-mx-3 rounded-lg px-3">
      <p className="text-muted">{t(`about.${of}`)}</p>
      <QueryView query={list} title={t('notLoaded')}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<Webhook />} title={t('none')} action={create}>
              {t(`noneText.${of}`)}
            </EmptyState>
          ) : (
            <>
              <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
                <p className="text-sm text-muted">{t('count', { count: items.length, limit: mostWebhooks })}</p>
                {create}
              </div>
              <ul className="mt-2">
                {items.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    onAsk={(what) => setAsked({ what, webhook } as Asked)}
                  />
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
      {asked?.what === 'form' && <WebhookForm of={of} webhook={asked.webhook} onClose={close} onMade={setShown} />}
      {asked?.what === 'test' && <TestDialog webhook={asked.webhook} onClose={close} />}
      {asked?.what === 'deliveries' && <DeliveriesDialog webhook={asked.webhook} onClose={close} />}
      {asked && isConfirmed(asked) && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={t(`${asked.what}.title`, { name: asked.webhook.name })}
          confirm={t(`${asked.what}.do`)}
          danger={asked.what === 'remove'}
          busy={act.isPending}
          onConfirm={() => act.mutate({ what: asked.what, webhook: asked.webhook })}
        >
          {t(`${asked.what}.text`)}
        </ConfirmDialog>
      )}
      {shown && (
        <ShownOnce
          title={t('shown.title', { name: shown.webhook.name })}
          text={t('shown.text')}
          secret={shown.secret}
          copy={t('shown.copy')}
          warning={t('shown.warning')}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  )
}
