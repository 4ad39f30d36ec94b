import { type Automation, automationsRoutes } from '@atrium/contract/automations'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/automations'
import { refreshAutomations } from '../changes.ts'

/** The webhook by which other programs start it: opened, given another secret, closed. */
export function WebhookCard({ automation }: { automation: Automation }) {
  const t = useText('automations')
  const { id, webhookEnabled } = automation
  const params = { automationId: id }
  const [asked, setAsked] = useState<'replace' | 'close' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const tell = (error: Error) => toast(wordsOf(error), { tone: 'danger' })
  const open = useMutation({
    mutationFn: () => call(automationsRoutes.createSecret, { params }),
    onError: tell,
    async onSuccess(made) {
      setAsked(null)
      setSecret(made.secret)
      await refreshAutomations()
    },
  })
  const close = useMutation({
    mutationFn: () => call(automationsRoutes.removeSecret, { params }),
    onError: tell,
    async onSuccess() {
      setAsked(null)
      await refreshAutomations()
    },
  })
  const address = `${location.origin}/api/automations/${id}/webhook`
  const sample = `curl -X POST ${address} \\\n  -H "Authorization: Bearer whsec_…" \\\n  -H "Content-Type: application/json" \\\n  -d '{"text": "Hello"}'`
  return (
    <Section
      title={t('webhook')}
      text={t('webhookText')}
      actions={
        webhookEnabled ? (
          <div className="flex gap-2">
            <Button size="small" onClick={() => setAsked('replace')}>
              {t('webhookReplace')}
            </Button>
            <Button size="small" onClick={() => setAsked('close')}>
              {t('webhookClose')}
            </Button>
          </div>
        ) : (
          <Button size="small" busy={open.isPending} onClick={() => open.mutate()}>
            {t('webhookOpen')}
          </Button>
        )
      }
    >
      {webhookEnabled && (
        <div className="flex items-start gap-1 rounded-md border border-line bg-sunken py-1 ps-3 pe-1">
          <pre dir="ltr" tabIndex={0} className="min-w-0 flex-1 overflow-x-auto py-1 text-start font-mono text-xs">
            {sample}
          </pre>
          <CopyButton text={sample} label={t('webhookCopy')} tooltipSide="top" />
        </div>
      )}
      {asked === 'replace' && (
        <FormDialog
          width="narrow"
          title={t('webhookReplaceTitle')}
          description={t('webhookReplaceText')}
          submit={t('webhookReplace')}
          busy={open.isPending}
          onSubmit={() => open.mutate()}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'close' && (
        <FormDialog
          width="narrow"
          tone="danger"
          title={t('webhookCloseTitle')}
          description={t('webhookCloseText')}
          submit={t('webhookClose')}
          busy={close.isPending}
          onSubmit={() => close.mutate()}
          onClose={() => setAsked(null)}
        />
      )}
      {secret !== null && (
        <ShownOnce
          title={t('secretTitle')}
          text={t('secretText')}
          secret={secret}
          copy={t('secretCopy')}
          warning={t('secretWarning')}
          onClose={() => setSecret(null)}
        />
      )}
    </Section>
  )
}
