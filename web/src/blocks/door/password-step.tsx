import { authentication, type MfaRequired, type SignedIn } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { useText } from './texts.ts'

/** User name and password; gives what the server answers when they were right. */
export function PasswordStep({
  username = '',
  onAnswer,
}: {
  username?: string
  onAnswer: (answer: SignedIn | MfaRequired) => void
}) {
  const t = useText('door')
  const [name, setName] = useState(username)
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => call(authentication.login, { body: { username: name.trim(), password } }, { asGuest: true }),
    onSuccess: onAnswer,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {signIn.isError && <ErrorCard title={wordsOf(signIn.error)} />}
      <Field label={t('username')}>
        <Input
          name="username"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          required
          autoFocus={!username}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
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
      <Button type="submit" tone="primary" size="large" busy={signIn.isPending} className="mt-1">
        {t('signIn')}
      </Button>
    </form>
  )
}
