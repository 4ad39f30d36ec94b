import { type Automation, automationsRoutes } from '@atrium/contract/automations'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/automations'
import { runNow } from '../changes.ts'

type Payload = Record<string, unknown>

/** null: it is no JSON object. */
const readPayload = (text: string): Payload | null => {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null
  } catch {
    return null
  }
}

/** Runs an automation with data that an event or a webhook would bring along, or shows what would come of it. */
export function RunDialog({ automation, onClose }: { automation: Automation; onClose: () => void }) {
  const t = useText('automations')
  const [text, setText] = useState('')
  const payload = readPayload(text)
  const body = payload && Object.keys(payload).length > 0 ? { payload } : {}
  const trial = useMutation({
    mutationFn: () => call(automationsRoutes.dryRun, { params: { automationId: automation.id }, body }),
  })
  const start = async () => {
    if (await runNow(automation, body)) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('runNow', { name: automation.name })}
      footer={
        <>
          <Button busy={trial.isPending} disabled={payload === null} onClick={() => trial.mutate()}>
            {t('tryOut')}
          </Button>
          <Button tone="primary" disabled={payload === null} onClick={() => void start()}>
            {t('run')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('payload')} hint={t('payloadHint')} error={payload === null ? t('payloadWrong') : null}>
          <TextArea
            dir="ltr"
            rows={5}
            className="font-mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {trial.error && (
          <p role="alert" className="text-sm text-danger-ink">
            {wordsOf(trial.error)}
          </p>
        )}
        {trial.data && (
          <section aria-label={t('trialResult')} aria-live="polite" className="rounded-lg border border-line p-3">
            <h3 className="mb-1 text-sm font-medium">{t('trialResult')}</h3>
            <p dir="auto" className="max-h-60 overflow-y-auto text-sm wrap-anywhere whitespace-pre-wrap">
              {trial.data.text}
            </p>
          </section>
        )}
      </div>
    </Dialog>
  )
}
