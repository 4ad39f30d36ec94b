import type { ToolServerAuth } from '@atrium/contract/tool-servers'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/tool-servers'

export type AuthMode = ToolServerAuth
export const authModes = ['none', 'bearer', 'header', 'basic', 'oauth'] as const satisfies readonly AuthMode[]

/** How each account shows the server who it is. */
export function AuthFields({
  mode,
  header,
  error,
  onChange,
}: {
  mode: AuthMode
  header: string
  error: string | null
  onChange: (next: { mode: AuthMode; header: string }) => void
}) {
  const t = useText('tool-servers')
  return (
    <>
      <Field label={t('auth.label')} hint={t(`auth.help.${mode}`)}>
        <Select
          value={mode}
          onChange={(next) => onChange({ mode: next, header })}
          options={authModes.map((value) => ({ value, label: t(`auth.modes.${value}`) }))}
        />
      </Field>
      {mode === 'header' && (
        <Field label={t('auth.header')} error={error} required>
          <Input
            dir="ltr"
            maxLength={100}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="X-API-Key"
            value={header}
            onChange={(event) => onChange({ mode, header: event.target.value })}
          />
        </Field>
      )}
    </>
  )
}
