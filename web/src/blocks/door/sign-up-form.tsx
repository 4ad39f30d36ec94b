import { authentication, type MfaRequired, type User } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, isAboutPassword, Problem, wordsOf } from '../../api/errors.ts'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { SecondStep } from './second-step.tsx'
import { useText } from './texts.ts'

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
  const t = useText('door')
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState<MfaRequired | null>(null)
  const signUp = useMutation({
    mutationFn: () =>
      call(
        authentication.signup,
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
  const code = signUp.isError ? codeOf(signUp.error) : null
  const place = code && fieldOf(code, signUp.error)
  const words = signUp.isError ? wordsOf(signUp.error) : undefined
  const tooShort = password.length > 0 && password.length < 12

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    signUp.mutate()
  }
  // The account is there; what is left is what every sign-in of it asks for.
  if (asked) return <SecondStep asked={asked} onSignedIn={onSignedIn} onBack={() => location.assign(links.signIn())} />
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {words && !place && <ErrorCard title={words} />}
      <Field label={t('username')} error={place === 'username' && words} hint={t('usernameHint')}>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          required
          maxLength={64}
          autoFocus
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
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
      <Field
        label={t('password')}
        hint={tooShort ? t('passwordMore', { count: 12 - password.length }) : t('passwordHint')}
        error={place === 'password' && words}
      >
        <PasswordInput
          name="new-password"
          autoComplete="new-password"
          required
          maxLength={200}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" tone="primary" size="large" busy={signUp.isPending} className="mt-1">
        {submit}
      </Button>
    </form>
  )
}

/** Which field a refusal is about. */
function fieldOf(code: string, error: unknown): 'username' | 'email' | 'password' | null {
  if (code === 'username_taken') return 'username'
  if (code === 'email_taken') return 'email'
  if (isAboutPassword(error)) return 'password'
  const path = error instanceof Problem ? error.fields[0]?.path : undefined
  const name = path?.split('.').at(-1)
  return name === 'username' || name === 'email' || name === 'password' ? name : null
}
