import { useEffect, useState } from 'react'
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
  // What was refused is another password as soon as somebody types on.
  const [isSame, setSame] = useState(true)
  useEffect(() => setSame(true), [error])
  const shown = isSame && error
  const isShort = value.length > 0 && value.length < shortest
  return (
    <Field
      label={label}
      // One of them: what is wrong, or what is asked for.
      hint={shown ? undefined : isShort ? t('passwordMore', { count: shortest - value.length }) : t('passwordHint')}
      error={shown}
    >
      <PasswordInput
        name="new-password"
        autoComplete="new-password"
        required
        maxLength={200}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => {
          setSame(false)
          onChange(event.target.value)
        }}
      />
    </Field>
  )
}

const shortest = 12
