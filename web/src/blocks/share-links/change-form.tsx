import { type FormEvent, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/share-links'
import { linkEnds, shortestPassword } from './link-form.tsx'

/** What is absent stays as it is. */
export interface LinkChange {
  /** From now on. */
  readonly expiresInDays?: number
  /** null: none is asked for any more. */
  readonly password?: string | null
}

/** Changes until when a link works and what it asks for. */
export function LinkChangeForm({
  link,
  busy,
  error,
  onSubmit,
  onCancel,
}: {
  link: { readonly expiresAt: string; readonly hasPassword: boolean }
  busy: boolean
  error: unknown
  onSubmit: (change: LinkChange) => void
  onCancel: () => void
}) {
  const t = useText('share-links')
  const [end, setEnd] = useState<'keep' | (typeof linkEnds)[number]>('keep')
  const [asks, setAsks] = useState<'keep' | 'new' | 'none'>('keep')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const isShort = asks === 'new' && password.length < shortestPassword
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (isShort) return
    const expiry = end === 'keep' ? {} : { expiresInDays: Number(end) }
    onSubmit(Object.assign(expiry, asks === 'keep' ? {} : { password: asks === 'new' ? password : null }))
  }
  return (
    <form
      onSubmit={submit}
      autoComplete="off"
      aria-label={t('change.title')}
      className="mt-1 mb-1.5 flex basis-full flex-wrap items-start gap-3 pe-1.5"
    >
      <Field label={t('end')} className="min-w-44 flex-1">
        <Select
          value={end}
          onChange={setEnd}
          options={[
            { value: 'keep', label: t('change.keepEnd', { time: formatDateTime(link.expiresAt) }) },
            ...linkEnds.map((value) => ({ value, label: t(`ends.${value}`) })),
          ]}
        />
      </Field>
      <Field label={t('password')} className="min-w-44 flex-1">
        <Select
          value={asks}
          onChange={setAsks}
          options={[
            { value: 'keep', label: t(link.hasPassword ? 'change.keepPassword' : 'change.noPassword') },
            { value: 'new', label: t('change.newPassword') },
            ...(link.hasPassword ? [{ value: 'none' as const, label: t('change.removePassword') }] : []),
          ]}
        />
      </Field>
      {asks === 'new' && (
        <Field
          label={t('change.newPassword')}
          hint={t('change.newPasswordHint')}
          error={tried && isShort && t('passwordShort')}
          className="min-w-52 basis-full"
        >
          <PasswordInput
            autoComplete="new-password"
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      )}
      {error !== null && <p className="basis-full text-sm text-danger-ink">{wordsOf(error)}</p>}
      <div className="flex basis-full gap-1.5">
        <Button type="submit" size="small" tone="primary" busy={busy}>
          {t('change.save')}
        </Button>
        <Button size="small" disabled={busy} onClick={onCancel}>
          {t('change.cancel')}
        </Button>
      </div>
    </form>
  )
}
