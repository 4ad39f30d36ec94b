import type { Variable } from '@atrium/contract/connections'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Select } from '../../../ui/select.tsx'
import { choicesOf } from './rules.ts'
import { useText } from 'virtual:words/connections'

/** The control for the value of one variable. What is shown and told is text; nothing stands for the default. */
export function VariableControl({
  variable,
  value,
  sensitive,
  placeholder,
  onChange,
  onCommit,
  ...names
}: {
  variable: Variable
  value: string
  sensitive?: boolean
  placeholder?: string
  onChange: (text: string) => void
  /** Called with the text when it is left or confirmed, or at once where it is chosen. */
  onCommit?: (text: string) => void
  'aria-label'?: string
  'aria-describedby'?: string
}) {
  const t = useText('connections')
  if (variable.type === 'select' || variable.type === 'boolean') {
    const choices =
      variable.type === 'boolean'
        ? [
            { value: 'true', label: t('fields.on') },
            { value: 'false', label: t('fields.off') },
          ]
        : choicesOf(variable).map(({ value: choice, label }) => ({
            value: String(choice),
            label: t(`mode.${choice}`, { defaultValue: label }),
          }))
    return (
      <Select
        {...names}
        value={value}
        className="w-full"
        options={
          choices.some((choice) => choice.value === value) ? choices : [{ value, label: value || '—' }, ...choices]
        }
        onChange={(next) => {
          onChange(next)
          onCommit?.(next)
        }}
      />
    )
  }
  const common = {
    ...names,
    value,
    placeholder,
    maxLength: 2048,
    spellCheck: false,
    autoComplete: 'off',
    autoCapitalize: 'none',
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    onBlur: () => onCommit?.(value),
    onKeyDown: (event: { key: string }) => event.key === 'Enter' && onCommit?.(value),
  }
  if (sensitive) return <PasswordInput {...common} />
  return <Input {...common} dir="ltr" inputMode={variable.type === 'number' ? 'decimal' : undefined} />
}
