import { localRuntimeRoutes, type RuntimeModel } from '@atrium/contract/local-runtime'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { NameInput, isValidName } from './dialogs.tsx'
import { watchTask } from './tasks.ts'
import { useText } from 'virtual:words/local-runtime'

/** Makes a model from one that is here; the job behind it is shown with the downloads. */
export function MakeDialog({
  from: first,
  models,
  onClose,
}: {
  from: string
  models: readonly RuntimeModel[]
  onClose: () => void
}) {
  const t = useText('local-runtime')
  const [name, setName] = useState('')
  const [from, setFrom] = useState(first)
  const [system, setSystem] = useState('')
  const [temperature, setTemperature] = useState('')
  const [context, setContext] = useState('')
  const [template, setTemplate] = useState('')
  const [tried, setTried] = useState(false)
  const faults = {
    name: isValidName(name) ? null : t('fault.name'),
    temperature: isEmpty(temperature) || inRange(temperature, 0, 2) ? null : t('fault.temperature'),
    context:
      isEmpty(context) || (inRange(context, 128, 10_000_000) && isWhole(context)) ? null : t('fault.contextWindow'),
  }
  const shown = (fault: string | null) => (tried ? fault : null)
  const make = useMutation({
    mutationFn: () => {
      const parameters = {
        ...(isEmpty(temperature) ? {} : { temperature: toNumber(temperature) }),
        ...(isEmpty(context) ? {} : { num_ctx: toNumber(context) }),
      }
      return call(localRuntimeRoutes.create, {
        body: {
          name: name.trim(),
          from,
          ...(isEmpty(system) ? {} : { system: system.trim() }),
          ...(isEmpty(template) ? {} : { template }),
          ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
        },
      })
    },
    onSuccess: (job) => {
      watchTask(job)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('make')}
      description={t('makeText')}
      submit={t('makeDo')}
      busy={make.isPending}
      error={failureOf(make.error)}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (Object.values(faults).every((fault) => fault === null)) make.mutate()
      }}
    >
      <Field label={t('makeName')} hint={t('makeNameHint')} error={shown(faults.name)} required>
        <NameInput value={name} onChange={setName} />
      </Field>
      <Field label={t('makeFrom')}>
        <Select
          value={from}
          onChange={setFrom}
          dir="ltr"
          options={models.map((model) => ({ value: model.name, label: model.name }))}
        />
      </Field>
      <Field label={t('system')} hint={t('systemHint')}>
        <TextArea
          dir="auto"
          rows={4}
          maxLength={20_000}
          value={system}
          onChange={(event) => setSystem(event.target.value)}
        />
      </Field>
      <div className="grid grid-cols-2 gap-4 max-tab:grid-cols-1">
        <Field label={t('temperature')} hint={t('temperatureHint')} error={shown(faults.temperature)}>
          <Input
            dir="ltr"
            inputMode="decimal"
            value={temperature}
            onChange={(event) => setTemperature(event.target.value)}
          />
        </Field>
        <Field label={t('contextWindow')} hint={t('contextWindowHint')} error={shown(faults.context)}>
          <Input dir="ltr" inputMode="numeric" value={context} onChange={(event) => setContext(event.target.value)} />
        </Field>
      </div>
      <Disclosure title={t('more')}>
        <Field label={t('template')} hint={t('templateHint')} className="mt-3">
          <TextArea
            dir="ltr"
            rows={4}
            maxLength={20_000}
            spellCheck={false}
            className="font-mono text-sm"
            value={template}
            onChange={(event) => setTemplate(event.target.value)}
          />
        </Field>
      </Disclosure>
    </FormDialog>
  )
}

const isEmpty = (text: string): boolean => text.trim() === ''
const toNumber = (text: string): number => Number(text.trim().replace(',', '.'))
const isWhole = (text: string): boolean => Number.isInteger(toNumber(text))
const inRange = (text: string, min: number, max: number): boolean => toNumber(text) >= min && toNumber(text) <= max
