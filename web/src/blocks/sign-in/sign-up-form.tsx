import { type MfaRequired, type User, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { links } from '../../lib/links.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { NameField } from './name-field.tsx'
import { NewPassword } from './new-password.tsx'
import { refusedField } from './refused-field.ts'
import { SecondStep } from './second-step.tsx'
import { useText } from 'virtual:words/sign-in'

/** Makes an account: signed in at once, or waiting for approval. */
export function SignUpForm({
  submit,
  onAsked,
  onSignedIn,
  onPending,
}: {
  /** The word on the button. */
  submit: string
  /** The account is made, and a second step begins, in which it must not be disturbed. */
  onAsked: () => void
  onSignedIn: (user: User) => void
  onPending: (user: User) => void
}) {
  const t = useText('sign-in')
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState<MfaRequired | null>(null)
  const signUp = useMutation({
    mutationFn: () =>
      call(
        accountsRoutes.signup,
        { body: { username: username.trim(), password, email: email.trim() || undefined } },
        { asGuest: true },
      ),
    onSuccess(answer) {
      if ('mfaRequired' in answer) {
        onAsked()
        return setAsked(answer)
      }
      return 'token' in answer ? onSignedIn(answer.user) : onPending(answer.user)
    },
  })
  const place = refusedField(signUp.error)
  const words = signUp.isError && wordsOf(signUp.error)
  // The account is there; what is left is what every sign-in of it asks for.
  if (asked) return <SecondStep asked={asked} onSignedIn={onSignedIn} onBack={() => location.assign(links.signIn())} />
  return (
    <CredentialsForm
      submit={submit}
      busy={signUp.isPending}
      failed={!place && words}
      error={signUp.error}
      onSubmit={() => signUp.mutate()}
    >
      <NameField
        hint={t('usernameHint')}
        error={place === 'username' && words}
        value={username}
        onChange={setUsername}
      />
      <Field label={t('email')} hint={t('emailHint')} error={place === 'email' && words}>
        <Input
          name="email"
          type="email"
          autoComplete="email"
          dir="ltr"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <NewPassword
        label={t('password')}
        value={password}
        onChange={setPassword}
        error={place === 'password' && words}
      />
    </CredentialsForm>
  )
}
