import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/settings-passkeys'

/** What a passkey is called. */
export function NameField({
  hint,
  value,
  onChange,
}: {
  hint?: string
  value: string
  onChange: (value: string) => void
}) {
  const t = useText('settings-passkeys')
  return (
    <Field label={t('name')} hint={hint}>
      <Input
        value={value}
        maxLength={64}
        dir="auto"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
