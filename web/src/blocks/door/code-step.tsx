import { authentication, type User } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { CodeEntry } from './code-entry.tsx'
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
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" aria-label={t('code.title')}>
      {words && !isWrong && <ErrorCard title={words} />}
      <CodeEntry
        value={code}
        onChange={setCode}
        onFull={(full) => verify.mutate(full)}
        onTurn={verify.reset}
        error={isWrong && words}
        disabled={verify.isPending}
      />
      <Button type="submit" tone="primary" size="large" busy={verify.isPending}>
        {t('code.submit')}
      </Button>
      <Button tone="quiet" size="small" className="-ms-2.5 self-start" onClick={onBack}>
        {t('back')}
      </Button>
    </form>
  )
}
