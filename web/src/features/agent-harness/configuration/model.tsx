import { agentHarnessRoutes, type HarnessModel } from '@atrium/contract/agent-harness'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/agent-harness'

export function ModelForm({ model: known }: { model: HarnessModel }) {
  const t = useText('agent-harness')
  const [provider, setProvider] = useState(known.provider)
  const [model, setModel] = useState(known.model)
  const [kept, setKept] = useState(false)
  const save = useMutation({
    mutationFn: () => call(agentHarnessRoutes.updateModel, { body: { provider, model, persistGlobal: kept } }),
    onSuccess: () => {
      toast(t('config.saved'))
      void refresh(agentHarnessRoutes.model)
    },
  })
  const failure = failureOf(save.error)
  const window = known.detectedContextWindowTokens ?? known.contextWindowTokens
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (provider.trim() && model.trim()) save.mutate()
      }}
    >
      <div className="grid gap-3 tab:grid-cols-2">
        <Field label={t('provider')}>
          <Input dir="ltr" maxLength={100} value={provider} onChange={(event) => setProvider(event.target.value)} />
        </Field>
        <Field label={t('model')} hint={window !== null && t('config.window', { shown: formatNumber(window) })}>
          <Input dir="ltr" maxLength={200} value={model} onChange={(event) => setModel(event.target.value)} />
        </Field>
      </div>
      <CheckField label={t('config.keep')} hint={t('config.keepModel')} checked={kept} onChange={setKept} />
      <Button type="submit" className="self-start" busy={save.isPending} disabled={!provider.trim() || !model.trim()}>
        {t('config.apply')}
      </Button>
      {failure && <ErrorCard {...failure} />}
    </form>
  )
}
