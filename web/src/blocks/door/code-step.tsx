import { authentication, type User } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CodeField } from './code-field.tsx'
import { useText } from './texts.ts'

/** The second step of a sign-in: a code of the authenticator app, or one of the recovery codes. */
export function CodeStep({
  challengeToken,
  onSignedIn,
  onBack,
}: {
  challengeToken: string
  onSignedIn: (user: User) => void
  onBack: () => void
}) {
  const t = useText('door')
  const [way, setWay] = useState<'app' | 'recovery'>('app')
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: (typed: string) =>
      call(authentication.verifyMfa, { body: { challengeToken, code: typed } }, { asGuest: true }),
    onSuccess: ({ user }) => onSignedIn(user),
    onError: () => setCode(''),
  })
  const isWrong = verify.isError && codeOf(verify.error) === 'wrong_code'
  const words = verify.isError ? wordsOf(verify.error) : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() && !verify.isPending) verify.mutate(code)
  }
  function change(to: typeof way) {
    setWay(to)
    setCode('')
    verify.reset()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" aria-label={t('code.title')}>
      <p className="text-muted">{way === 'app' ? t('code.text') : t('code.recoveryText')}</p>
      {words && !isWrong && <ErrorCard title={words} />}
      {way === 'app' ? (
        <CodeField
          key="app"
          value={code}
          onChange={setCode}
          onFull={(full) => verify.mutate(full)}
          error={isWrong && words}
          disabled={verify.isPending}
        />
      ) : (
        <Field key="recovery" label={t('code.recovery')} error={isWrong && words}>
          <Input
            name="recovery-code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            required
            dir="ltr"
            maxLength={64}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            className="font-mono"
          />
        </Field>
      )}
      <Button type="submit" tone="primary" size="large" busy={verify.isPending} className="mt-1">
        {t('code.submit')}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button tone="quiet" size="small" onClick={onBack}>
          {t('back')}
        </Button>
        <Button tone="quiet" size="small" onClick={() => change(way === 'app' ? 'recovery' : 'app')}>
          {way === 'app' ? t('code.useRecovery') : t('code.useApp')}
        </Button>
      </div>
    </form>
  )
}
