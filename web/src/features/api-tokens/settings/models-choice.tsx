import type { Model } from '@atrium/contract/connections'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useModels } from '../../../blocks/models.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/api-tokens'

/** Which models the token may use on `/v1`: all (null), or only these, by their qualified ids. */
export function ModelsChoice({
  value,
  onChange,
  error,
}: {
  value: readonly string[] | null
  onChange: (models: string[] | null) => void
  error: string | null
}) {
  const t = useText('api-tokens')
  const id = useId()
  const known = (useModels()?.items ?? []).map(({ name, providerName, selection }) => ({
    id: qualifiedId(selection),
    name: `${name} · ${providerName}`,
  }))
  const [text, setText] = useState('')
  const add = () => {
    const wanted = text.trim()
    // What is typed may be the name that the list shows, or an id that is not in the catalogue yet.
    const model = known.find((one) => one.name === wanted)?.id ?? wanted
    setText('')
    if (model && !value?.includes(model)) onChange([...(value ?? []), model])
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <span className="text-sm font-medium">{t('models.name')}</span>
      <SegmentedControl
        label={t('models.name')}
        value={value === null ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? null : [])}
        options={[
          { value: 'all', label: t('models.all') },
          { value: 'some', label: t('models.only') },
        ]}
        className="self-start"
      />
      {value !== null && (
        <>
          {value.length > 0 && (
            <ul className="flex flex-wrap gap-1.5">
              {value.map((model) => (
                <li key={model} className="flex max-w-full items-center rounded-full bg-accent-soft ps-3 text-sm">
                  <bdi dir="ltr" className="min-w-0 truncate text-accent-ink">
                    {model}
                  </bdi>
                  <IconButton
                    size="small"
                    label={t('models.remove', { name: model })}
                    icon={<X />}
                    onClick={() => onChange(value.filter((other) => other !== model))}
                  />
                </li>
              ))}
            </ul>
          )}
          <div className="flex gap-2">
            <Input
              list={`${id}-models`}
              aria-label={t('models.add')}
              aria-describedby={error ? `${id}-error` : undefined}
              placeholder={t('models.placeholder')}
              dir="ltr"
              autoComplete="off"
              maxLength={400}
              value={text}
              onChange={(event) => setText(event.target.value)}
              // What was typed counts, also when the next click is on Save.
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <datalist id={`${id}-models`}>
              {known
                .filter((model) => !value.includes(model.id))
                .map((model) => (
                  <option key={model.id} value={model.id}>
                    {model.name}
                  </option>
                ))}
            </datalist>
            <Button onClick={add} disabled={text.trim() === ''}>
              {t('models.addDo')}
            </Button>
          </div>
          {error && (
            <p id={`${id}-error`} role="alert" className="text-sm text-danger-ink">
              {error}
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** As `/v1` knows it. */
const qualifiedId = ({ providerId, model }: Model['selection']): string => `${providerId ?? 'local'}/${model}`
