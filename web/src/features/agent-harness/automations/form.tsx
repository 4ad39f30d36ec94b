import { agentHarnessRoutes, type HarnessAutomation } from '@atrium/contract/agent-harness'
import { parseSchedule } from '@atrium/contract/schedule'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { scheduleWords } from './schedule-words.ts'
import { useText } from 'virtual:words/agent-harness'

const routes = ['report', 'tui', 'telegram'] as const

/** Makes an automation, or changes the one that is given. */
export function AutomationForm({ automation, onClose }: { automation: HarnessAutomation | null; onClose: () => void }) {
  const t = useText('agent-harness')
  const [name, setName] = useState(automation?.name ?? '')
  const [prompt, setPrompt] = useState(automation?.prompt ?? '')
  const [schedule, setSchedule] = useState(automation?.schedule ?? 'daily 08:00')
  const [route, setRoute] = useState(automation?.route ?? 'report')
  const [chat, setChat] = useState(automation?.telegramChatId ?? '')
  const [tried, setTried] = useState(false)
  const isSound = parseSchedule(schedule) !== null
  const faults = {
    name: name.trim() ? null : t('fault.name'),
    prompt: prompt.trim() ? null : t('fault.prompt'),
    schedule: isSound ? null : t('fault.schedule'),
    chat: route !== 'telegram' || /^-?\d{1,32}$|^@\w{1,64}$/.test(chat.trim()) ? null : t('fault.chat'),
  }
  const shown = (fault: string | null) => (tried ? fault : null)
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        name,
        prompt,
        schedule,
        route,
        ...(route === 'telegram' ? { telegramChatId: chat.trim() } : {}),
      }
      return automation
        ? await call(agentHarnessRoutes.updateAutomation, { params: { id: automation.automationId }, body })
        : await call(agentHarnessRoutes.createAutomation, { body })
    },
    onSuccess: () => {
      void refresh(agentHarnessRoutes.automations)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(automation ? 'automation.editTitle' : 'automation.add')}
      submit={t('automation.save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (Object.values(faults).every((fault) => fault === null)) save.mutate()
      }}
    >
      <Field label={t('automation.name')} error={shown(faults.name)} required>
        <Input dir="auto" maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t('automation.prompt')} error={shown(faults.prompt)} required>
        <TextArea
          dir="auto"
          rows={4}
          maxLength={100_000}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
      </Field>
      <Field
        label={t('automation.schedule')}
        hint={isSound ? scheduleWords(schedule, t) : t('automation.scheduleHint')}
        error={shown(faults.schedule)}
        required
      >
        <Input dir="ltr" maxLength={200} value={schedule} onChange={(event) => setSchedule(event.target.value)} />
      </Field>
      <Field label={t('automation.routeLabel')}>
        <Select
          value={route}
          onChange={setRoute}
          options={routes.map((value) => ({ value, label: t(`automation.route.${value}`) }))}
        />
      </Field>
      {route === 'telegram' && (
        <Field label={t('automation.chat')} error={shown(faults.chat)} required>
          <Input dir="ltr" maxLength={65} value={chat} onChange={(event) => setChat(event.target.value)} />
        </Field>
      )}
    </FormDialog>
  )
}
