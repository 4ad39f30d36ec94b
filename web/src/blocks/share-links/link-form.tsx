import { type FormEvent, type ReactNode, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/share-links'

export const linkEnds = ['1', '7', '30', '365'] as const
export const shortestPassword = 8

export interface LinkValues {
  readonly expiresInDays: number
  /** null: none is asked for. */
  readonly password: string | null
}

/** How long a link works and what it asks for; `children` are what its kind adds. */
export function LinkForm({
  busy,
  error,
  onSubmit,
  children,
}: {
  busy: boolean
  error: unknown
  onSubmit: (values: LinkValues) => void
  children?: ReactNode
}) {
  const t = useText('share-links')
  const [end, setEnd] = useState<(typeof linkEnds)[number]>('30')
  const [password, setPassword] = useState('')
  const [short, setShort] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    const isShort = password !== '' && password.length < shortestPassword
    setShort(isShort)
    if (!isShort) onSubmit({ expiresInDays: Number(end), password: password || null })
  }
  return (
    <form onSubmit={submit} autoComplete="off" className="mt-3 flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <Field label={t('end')} className="min-w-36 flex-1">
          <Select
            value={end}
            onChange={setEnd}
            options={linkEnds.map((value) => ({ value, label: t(`ends.${value}`) }))}
          />
        </Field>
        <Field
          label={t('password')}
          hint={t('passwordHint')}
          error={short && t('passwordShort')}
          className="min-w-52 flex-1"
        >
          <PasswordInput
            autoComplete="new-password"
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </div>
      {children}
      {error !== null && <p className="text-sm text-danger-ink">{wordsOf(error)}</p>}
      <Button type="submit" tone="primary" busy={busy} className="self-start">
        {t('create')}
      </Button>
    </form>
  )
}
