import { useId } from 'react'
import { CheckField } from '../../ui/check-field.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { useText } from 'virtual:words/tool-calls'
import type { AskFault, AskField, AskValue } from './ask-fields.ts'
import { AskFileInput } from './ask-file-input.tsx'
import { showHidden } from './invisible.ts'

interface AskInputProps {
  readonly field: AskField
  readonly value: AskValue
  readonly fault: AskFault | null
  readonly onChange: (value: AskValue) => void
  /** The chat that files go to. */
  readonly chatId: string | null
}

/** Where one question is answered. */
export function AskInput({ field, value, fault, onChange, chatId }: AskInputProps) {
  const t = useText('tool-calls')
  const { kind, required } = field
  const label = showHidden(field.label)
  const help = field.help === null ? undefined : showHidden(field.help)
  const error = fault && t(`ask.fault.${fault}`)
  if (kind === 'boolean')
    return <CheckField label={label} hint={help} checked={value === true} onChange={(on) => onChange(on)} />
  if (kind === 'choice') return <Choice field={field} value={value} fault={fault} onChange={onChange} />
  if (kind === 'file')
    return <AskFileInput label={label} value={value} error={error} onChange={onChange} chatId={chatId} />
  const text = typeof value === 'string' ? value : ''
  return (
    <Field label={<bdi>{label}</bdi>} hint={help} error={error} required={required}>
      {kind === 'number' ? (
        <Input
          dir="ltr"
          inputMode="decimal"
          maxLength={40}
          className="max-w-40"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <TextArea
          dir="auto"
          rows={1}
          maxRows={6}
          maxLength={10_000}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** One of some, or several of them, all in sight. */
function Choice({
  field: { label, help, options, several, required },
  value,
  fault,
  onChange,
}: Omit<AskInputProps, 'chatId'>) {
  const t = useText('tool-calls')
  const name = useId()
  const chosen = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  return (
    <fieldset aria-describedby={fault ? `${name}-fault` : undefined}>
      <legend className="mb-1.5 font-medium">
        <bdi>{showHidden(label)}</bdi>
        {required && <span className="sr-only"> ({t('ask.required')})</span>}
      </legend>
      {help && <p className="mb-1.5 text-xs text-muted">{showHidden(help)}</p>}
      <div className="flex max-h-60 flex-col gap-1.5 overflow-y-auto">
        {options.map((option) => (
          <label key={option.value} className="flex items-start gap-2.5">
            <input
              type={several ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(option.value)}
              onChange={(event) =>
                onChange(
                  !several
                    ? option.value
                    : event.target.checked
                      ? [...chosen, option.value]
                      : chosen.filter((other) => other !== option.value),
                )
              }
              className="mt-1 accent-accent"
            />
            <bdi className="wrap-anywhere">{showHidden(option.label)}</bdi>
          </label>
        ))}
      </div>
      {fault && (
        <p id={`${name}-fault`} role="alert" className="mt-1 text-danger-ink">
          {t(`ask.fault.${fault}`)}
        </p>
      )}
    </fieldset>
  )
}
