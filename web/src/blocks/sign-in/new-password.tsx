import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { useText } from 'virtual:words/sign-in'

/** A password that is chosen now. */
export function NewPassword({
  label,
  value,
  onChange,
  error,
  autoFocus = false,
}: {
  label: string
  value: string
  onChange: (password: string) => void
  error?: string | false | undefined
  autoFocus?: boolean
}) {
  const t = useText('sign-in')
  const isShort = value.length > 0 && value.length < shortest
  return (
    <Field
      label={label}
      hint={isShort ? t('passwordMore', { count: shortest - value.length }) : t('passwordHint')}
      error={error}
    >
      <PasswordInput
        name="new-password"
        autoComplete="new-password"
        required
        maxLength={200}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

const shortest = 12
