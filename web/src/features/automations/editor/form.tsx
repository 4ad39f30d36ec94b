import { type Automation, type AutomationContent, automationsRoutes, type Trigger } from '@atrium/contract/automations'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { ModelField } from '../../../blocks/model-picker/model-field.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/automations'
import { refreshAutomations } from '../changes.ts'
import { missingIn, newTrigger } from '../drafts.ts'
import { ownZone } from '../own-time.ts'
import { Policies } from './policies.tsx'
import { Preview } from './preview.tsx'
import { ScopeField } from './scope-field.tsx'
import { ToolsField } from './tools-field.tsx'
import { TargetField } from './target-field.tsx'
import { TriggerField } from './trigger-field.tsx'

/** The contract's; its values are not loaded with the page. */
const mostTriggers = 5
const mostNameLetters = 200
const mostInstructionLetters = 20_000

/** What an automation does and when. `id`: null for a new one. */
export function AutomationForm({
  id,
  initial,
  onSaved,
}: {
  id: string | null
  initial: AutomationContent
  onSaved: (automation: Automation) => void
}) {
  const t = useText('automations')
  const form = useRef<HTMLFormElement>(null)
  const [content, setContent] = useState(initial)
  const [tried, setTried] = useState(false)
  const set = (values: Partial<AutomationContent>) => setContent((before) => ({ ...before, ...values }))
  const save = useMutation({
    mutationFn: () =>
      id === null
        ? call(automationsRoutes.create, { body: content })
        : call(automationsRoutes.update, { params: { automationId: id }, body: content }),
    async onSuccess(automation) {
      setTried(false)
      await refreshAutomations()
      toast(t(id === null ? 'created' : 'saved'))
      onSaved(automation)
    },
  })
  const missing = missingIn(content)
  function submit() {
    setTried(true)
    if (missing === null) save.mutate()
    else form.current?.querySelector<HTMLElement>(`[name="${missing}"]`)?.focus()
  }
  const setTrigger = (index: number, trigger: Trigger | null) =>
    set({ triggers: content.triggers.flatMap((one, at) => (at === index ? (trigger ?? []) : one)) })
  return (
    <form
      ref={form}
      noValidate
      autoComplete="off"
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) submit()
      }}
    >
      <Field label={t('name')} error={tried && missing === 'name' ? t('nameMissing') : null} required>
        <Input
          name="name"
          dir="auto"
          maxLength={mostNameLetters}
          value={content.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      <Field
        label={t(content.asksModel ? 'instructions' : 'textToSend')}
        hint={content.asksModel ? t('instructionsHint') : t('textToSendHint', { example: '{{title}}' })}
        error={
          tried && missing === 'instructions'
            ? t(content.asksModel ? 'instructionsMissing' : 'textToSendMissing')
            : null
        }
        required
      >
        <TextArea
          name="instructions"
          dir="auto"
          rows={5}
          maxLength={mostInstructionLetters}
          value={content.instructions}
          onChange={(event) => set({ instructions: event.target.value })}
        />
      </Field>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-1.5 text-sm font-medium">{t('starts')}</legend>
        {content.triggers.length === 0 && <p className="text-sm text-muted">{t('noTriggers')}</p>}
        {content.triggers.map((trigger, index) => (
          <TriggerField
            // oxlint-disable-next-line react/no-array-index-key -- triggers have no names of their own
            key={index}
            number={index + 1}
            trigger={trigger}
            onChange={(changed) => setTrigger(index, changed)}
            onRemove={() => setTrigger(index, null)}
          />
        ))}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            size="small"
            icon={<Plus className="size-4" />}
            disabled={content.triggers.length >= mostTriggers}
            onClick={() => set({ triggers: [...content.triggers, newTrigger('daily', ownZone())] })}
          >
            {t('addTrigger')}
          </Button>
        </div>
        {tried && missing === 'place' && (
          <p role="alert" className="text-sm text-danger-ink">
            {t('placeMissing')}
          </p>
        )}
        {missing !== 'place' && <Preview content={content} />}
      </fieldset>
      <CheckField
        label={t('asksModel')}
        hint={t('asksModelHint')}
        checked={content.asksModel}
        onChange={(asksModel) =>
          set({ asksModel, target: asksModel || content.target.kind !== 'chat' ? content.target : { kind: 'mail' } })
        }
      />
      {content.asksModel && (
        <>
          <ModelField
            label={t('model')}
            none={t('defaultModel')}
            reset={t('resetModel')}
            selection={content.selection}
            withoutAgents
            onChange={(selection) => set({ selection })}
          />
          <CheckField
            label={t('webSearch')}
            hint={t('webSearchHint')}
            checked={content.webSearch}
            onChange={(webSearch) => set({ webSearch })}
          />
          {(content.target.kind !== 'chat' || content.target.sessionId === null) && (
            <ScopeField scope={content} onChange={set} />
          )}
          <ToolsField chosen={content.tools} onChange={(tools) => set({ tools })} />
        </>
      )}
      <TargetField
        target={content.target}
        asksModel={content.asksModel}
        missing={tried && (missing === 'channel' || missing === 'webhook')}
        onChange={(target) => set({ target })}
      />
      <Disclosure title={t('more')}>
        <Policies content={content} onChange={set} />
      </Disclosure>
      {save.error && <ErrorCard {...(failureOf(save.error) ?? { title: t('notSaved'), details: '' })} />}
      <div>
        <Button tone="primary" type="submit" busy={save.isPending}>
          {t(id === null ? 'create' : 'save')}
        </Button>
      </div>
    </form>
  )
}
