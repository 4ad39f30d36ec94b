import { type Webhook, webhooksRoutes } from '@atrium/contract/webhooks'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/webhooks'

/** Calls a webhook with a test when it opens, and shows what came back. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useText('webhooks')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(webhooksRoutes.testWebhook, { params: { webhookId: webhook.id }, body: {} }),
  })
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('testTitle', { name: webhook.name })}
      description={t('testText')}
      footer={
        <Button busy={isPending} onClick={() => mutate()}>
          {t('testAgain')}
        </Button>
      }
    >
      <div aria-live="polite">
        {isPending && (
          <p className="flex items-center gap-2 py-2 text-muted">
            <Spinner size={16} label={t('testing')} /> {t('testing')}
          </p>
        )}
        {error && (
          <p role="alert" className="text-danger-ink">
            {wordsOf(error)}
          </p>
        )}
        {data && !isPending && (
          <p className={data.delivered ? 'text-ok-ink' : 'text-danger-ink'}>
            {data.status === null
              ? t(`failure.${data.failure ?? 'unreachable'}`)
              : t(data.delivered ? 'answered' : 'refused', {
                  status: data.status,
                  duration: formatDuration(data.durationMs),
                })}
          </p>
        )}
      </div>
      {data && (
        <>
          <Lines title={t('sent')} text={data.sent} />
          {data.answer !== '' && <Lines title={t('answer')} text={data.answer} />}
        </>
      )}
    </Dialog>
  )
}

function Lines({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h3 className="mt-3 mb-1.5 text-sm font-semibold">{title}</h3>
      <pre
        dir="ltr"
        className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2.5 text-start font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </>
  )
}
