import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf, isAboutPassword, wordsOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { PasswordLink } from './password-link.tsx'
import { refreshPeople } from './actions.ts'
import { useText } from 'virtual:words/user-administration'

/** Makes an account, active at once; without a password it ends with a link by which its owner chooses one. */
export function AddPerson({ onClose }: { onClose: () => void }) {
  const t = useText('user-administration')
  const [form, setForm] = useState({ username: '', displayName: '', email: '', password: '' })
  const [role, setRole] = useState<'user' | 'admin'>('user')
  const [tried, setTried] = useState(false)
  const set = (part: Partial<typeof form>) => setForm({ ...form, ...part })
  const save = useMutation({
    mutationFn: () =>
      call(userAdministrationRoutes.create, {
        body: {
          username: form.username.trim(),
          role,
          displayName: form.displayName.trim() || null,
          email: form.email.trim() || null,
          ...(form.password ? { password: form.password } : {}),
        },
      }),
    onSuccess: () => {
      void refreshPeople()
      if (form.password) onClose()
    },
  })
  if (save.data && !form.password) return <PasswordLink user={save.data} onClose={onClose} />
  const isWeak = save.isError && isAboutPassword(save.error)
  const fault = form.username.trim() === '' ? t('add.fault') : null
  return (
    <FormDialog
      title={t('add.title')}
      submit={t('add.make')}
      busy={save.isPending}
      error={isWeak ? null : failureOf(save.error)}
      onSubmit={() => {
        setTried(true)
        if (!fault) save.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('profile.username')} error={tried ? fault : null} required>
        <Input
          value={form.username}
          onChange={(event) => set({ username: event.target.value })}
          maxLength={64}
          autoComplete="off"
        />
      </Field>
      <Field label={t('profile.displayName')}>
        <Input
          value={form.displayName}
          onChange={(event) => set({ displayName: event.target.value })}
          maxLength={120}
          autoComplete="off"
          dir="auto"
        />
      </Field>
      <Field label={t('profile.email')}>
        <Input
          type="email"
          value={form.email}
          onChange={(event) => set({ email: event.target.value })}
          maxLength={254}
          autoComplete="off"
          dir="ltr"
        />
      </Field>
      <Field label={t('add.password')} hint={t('add.passwordHint')} error={isWeak && wordsOf(save.error)}>
        <PasswordInput
          value={form.password}
          onChange={(event) => set({ password: event.target.value })}
          autoComplete="new-password"
        />
      </Field>
      <div>
        <p className="mb-1.5 text-sm font-medium">{t('profile.role')}</p>
        <SegmentedControl
          label={t('profile.role')}
          value={role}
          onChange={setRole}
          options={(['user', 'admin'] as const).map((value) => ({ value, label: t(`role.${value}`) }))}
        />
      </div>
    </FormDialog>
  )
}
