import { type MfaRequired, type SignedIn, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { NameField } from './name-field.tsx'
import { useText } from 'virtual:words/sign-in'

/** User name and password; gives what the server answers when they were right. */
export function PasswordStep({
  username = '',
  onAnswer,
}: {
  username?: string
  onAnswer: (answer: SignedIn | MfaRequired) => void
}) {
  const t = useText('sign-in')
  const [name, setName] = useState(username)
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => call(accountsRoutes.login, { body: { username: name.trim(), password } }, { asGuest: true }),
    onSuccess: onAnswer,
  })
  return (
    <CredentialsForm
      submit={t('signIn')}
      busy={signIn.isPending}
      failed={signIn.isError && wordsOf(signIn.error)}
      error={signIn.error}
      onSubmit={() => signIn.mutate()}
    >
      <NameField
        label={t('usernameOrEmail')}
        autoComplete="username webauthn"
        maxLength={254}
        autoFocus={!username}
        value={name}
        onChange={setName}
      />
      <Field label={t('password')}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(username)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
    </CredentialsForm>
  )
}
