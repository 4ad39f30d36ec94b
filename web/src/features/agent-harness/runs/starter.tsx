import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { harnessLink } from '../search.ts'
import { useText } from 'virtual:words/agent-harness'

/** A task for an agent: one answer, or work towards a goal. */
export function RunStarter() {
  const t = useText('agent-harness')
  const navigate = useNavigate()
  const [message, setMessage] = useState('')
  const [kind, setKind] = useState<'chat' | 'goal'>('chat')
  const [provider, setProvider] = useState('')
  const [model, setModel] = useState('')
  const start = useMutation({
    mutationFn: () =>
      call(agentHarnessRoutes.startRun, {
        body: {
          message,
          kind,
          ...(provider.trim() ? { provider } : {}),
          ...(model.trim() ? { model } : {}),
        },
      }),
    onSuccess: async (run) => {
      setMessage('')
      void refresh(agentHarnessRoutes.runs)
      await navigate({ to: harnessLink({ run: run.runId }) })
    },
  })
  const failure = failureOf(start.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (message.trim() && !start.isPending) start.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={t('start.title')} className="flex flex-col gap-3">
      <Field label={t('start.task')} hint={t(`start.${kind}Text`)}>
        <TextArea
          dir="auto"
          rows={3}
          maxLength={200_000}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          }}
        />
      </Field>
      <Disclosure title={t('start.more')}>
        <div className="mt-3 grid grid-cols-2 gap-3">
          <Field label={t('provider')}>
            <Input dir="ltr" maxLength={100} value={provider} onChange={(event) => setProvider(event.target.value)} />
          </Field>
          <Field label={t('model')}>
            <Input dir="ltr" maxLength={200} value={model} onChange={(event) => setModel(event.target.value)} />
          </Field>
        </div>
      </Disclosure>
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl
          label={t('start.kind')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'chat', label: t('kind.chat') },
            { value: 'goal', label: t('kind.goal') },
          ]}
        />
        <Button
          type="submit"
          tone="primary"
          icon={<Play className="size-4" />}
          busy={start.isPending}
          disabled={!message.trim()}
        >
          {t('start.do')}
        </Button>
      </div>
      {failure && <ErrorCard {...failure} />}
    </form>
  )
}
