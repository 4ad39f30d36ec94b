import { useEffect, useRef } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/sign-in'

/** Six digits of an authenticator app, typed, pasted or filled in by the browser; `onFull` is called with the sixth. */
export function CodeField({
  value,
  onChange,
  onFull,
  label,
  hint,
  error,
  disabled = false,
}: {
  value: string
  onChange: (code: string) => void
  onFull: (code: string) => void
  label?: string
  hint?: string
  error?: string | false | undefined
  disabled?: boolean
}) {
  const t = useText('sign-in')
  const input = useRef<HTMLInputElement>(null)
  // A field that was shut while the server looked at the code has lost the focus.
  useEffect(() => {
    if (!disabled) input.current?.focus()
  }, [disabled])
  function change(typed: string) {
    const code = digitsOf(typed)
    onChange(code)
    if (code.length === 6 && code !== value) onFull(code)
  }
  return (
    <Field label={label ?? t('code.name')} hint={hint} error={error}>
      <Input
        ref={input}
        name="one-time-code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        dir="ltr"
        // Longer than six, so that a code pasted with its space is taken whole.
        maxLength={12}
        disabled={disabled}
        value={value}
        onChange={(event) => change(event.target.value)}
        className="h-[calc(var(--control)+0.75rem)]! text-center font-mono text-xl! tracking-[0.35em]"
      />
    </Field>
  )
}

/** Also digits of other scripts become 0 to 9. */
const digitsOf = (typed: string): string =>
  typed
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .normalize('NFKC')
    .replace(/\D/g, '')
    .slice(0, 6)
