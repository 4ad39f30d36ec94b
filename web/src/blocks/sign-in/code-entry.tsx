import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CodeField } from './code-field.tsx'
import { useText } from 'virtual:words/sign-in'

/** A code of the authenticator app, or, on request, one of the recovery codes. */
export function CodeEntry({
  value,
  onChange,
  onFull,
  onTurn,
  error,
  disabled,
}: {
  value: string
  onChange: (code: string) => void
  /** The sixth digit of a code of the app was entered. */
  onFull: (code: string) => void
  /** The other kind of code is wanted: what was said about the first one does not matter any more. */
  onTurn?: () => void
  error?: string | false | undefined
  disabled: boolean
}) {
  const t = useText('sign-in')
  const [way, setWay] = useState<'app' | 'recovery'>('app')
  function turn() {
    setWay(way === 'app' ? 'recovery' : 'app')
    onChange('')
    onTurn?.()
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="mb-2 text-muted">{way === 'app' ? t('code.text') : t('code.recoveryText')}</p>
      {way === 'app' ? (
        <CodeField value={value} onChange={onChange} onFull={onFull} error={error} disabled={disabled} />
      ) : (
        <Field label={t('code.recovery')} error={error}>
          <Input
            name="recovery-code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            required
            dir="ltr"
            maxLength={64}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className="font-mono"
          />
        </Field>
      )}
      <div>
        <Button tone="quiet" size="small" className="-ms-2.5" onClick={turn}>
          {way === 'app' ? t('code.useRecovery') : t('code.useApp')}
        </Button>
      </div>
    </div>
  )
}
