import { notificationKinds } from '@atrium/contract/notifications'
import { instanceEvents, type Webhook, type WebhookOwner, webhooksRoutes } from '@atrium/contract/webhooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText as useKindText } from 'virtual:words/notification-kind'
import { useText } from 'virtual:words/webhooks'

/** Creates a webhook, or changes one. */
export function WebhookForm({
  of,
  webhook,
  onClose,
  onMade,
}: {
  of: WebhookOwner
  webhook: Webhook | null
  onClose: () => void
  onMade: (made: { webhook: Webhook; secret: string }) => void
}) {
  const t = useText('webhooks')
  const kindWords = useKindText('notification-kind')
  const known: readonly string[] = of === 'instance' ? instanceEvents : notificationKinds
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [all, setAll] = useState(webhook?.events.includes('*') ?? true)
  const [chosen, setChosen] = useState<readonly string[]>(
    webhook?.events.filter((event) => known.includes(event)) ?? [],
  )
  const [content, setContent] = useState(webhook?.content ?? false)
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const [tried, setTried] = useState(false)
  const faults = {
    name: name.trim() === '' ? t('fault.name') : null,
    url: isWebAddress(url) ? null : t('fault.url'),
    events: all || chosen.length > 0 ? null : t('fault.events'),
  }
  const save = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), url: url.trim(), events: all ? ['*'] : [...chosen], content, enabled }
      if (webhook) await call(webhooksRoutes.updateWebhook, { params: { webhookId: webhook.id }, body })
      else onMade(await call(webhooksRoutes.createWebhook, { body: { ...body, of } }))
    },
    onSuccess: () => {
      void refresh(webhooksRoutes.webhooks)
      if (webhook) toast(t('saved', { name: name.trim() }))
      onClose()
    },
  })
  const submit = () => {
    setTried(true)
    if (Object.values(faults).every((fault) => fault === null)) save.mutate()
  }
  const nameOf = (event: string) => (of === 'instance' ? t(`event.${event}`) : kindWords(`name.${event}`))
  const toggle = (event: string, on: boolean) =>
    setChosen((before) => (on ? [...before, event] : before.filter((other) => other !== event)))
  return (
    <FormDialog
      title={webhook ? t('editTitle', { name: webhook.name }) : t('createTitle')}
      submit={webhook ? t('save') : t('createDo')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('name')} error={tried ? faults.name : null} required>
        <Input dir="auto" maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t('url')} hint={t('urlHint')} error={tried ? faults.url : null} required>
        <Input
          dir="ltr"
          type="url"
          maxLength={2000}
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium">{t('events')}</legend>
        <CheckField label={t('allEvents')} checked={all} onChange={setAll} />
        {!all &&
          known.map((event) => (
            <CheckField
              key={event}
              label={nameOf(event)}
              checked={chosen.includes(event)}
              onChange={(on) => toggle(event, on)}
            />
          ))}
        {tried && faults.events && (
          <p role="alert" className="text-sm text-danger-ink">
            {faults.events}
          </p>
        )}
      </fieldset>
      {of === 'account' && (
        <CheckField label={t('content')} hint={t('contentHint')} checked={content} onChange={setContent} />
      )}
      {webhook && <CheckField label={t('enabled')} checked={enabled} onChange={setEnabled} />}
    </FormDialog>
  )
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')
