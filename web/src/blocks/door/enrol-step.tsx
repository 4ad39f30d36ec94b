import { authentication, type User } from '@atrium/contract/authentication'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodeList } from './recovery-codes.tsx'
import { SecretCard } from './secret-card.tsx'
import { useText } from './texts.ts'

interface Done {
  readonly user: User
  readonly recoveryCodes: readonly string[]
}

/** Where a second factor is required and there is none: one-time codes are set up before the session begins. */
export function EnrolStep({
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
  const [done, setDone] = useState<Done | null>(null)
  const [stored, setStored] = useState(false)
  const enrolment = useQuery({
    // Kept nowhere after this step: it holds a secret.
    ...{ queryKey: ['enrol-by-challenge', challengeToken], gcTime: 0, staleTime: Infinity, retry: false },
    refetchOnReconnect: false,
    queryFn: () => call(authentication.enrollByChallenge, { body: { challengeToken } }, { asGuest: true }),
  })
  const activate = useMutation({
    mutationFn: (typed: string) =>
      call(authentication.activateByChallenge, { body: { challengeToken, code: typed } }, { asGuest: true }),
    onSuccess: setDone,
    onError: () => setCode(''),
  })
  const isWrong = activate.isError && codeOf(activate.error) === 'wrong_code'
  const words = activate.isError ? wordsOf(activate.error) : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.length === 6 && !activate.isPending) activate.mutate(code)
  }
  const back = (
    <div>
      <Button tone="quiet" size="small" className="-ms-2.5" onClick={onBack}>
        {t('back')}
      </Button>
    </div>
  )

  if (done) {
    return (
      <div className="flex flex-col gap-4">
        <h2 className="text-md font-semibold">{t('recovery.title')}</h2>
        <p className="text-muted">{t('recovery.text')}</p>
        <RecoveryCodeList codes={done.recoveryCodes} stored={stored} onStored={setStored} />
        <Button tone="primary" size="large" disabled={!stored} onClick={() => onSignedIn(done.user)}>
          {t('recovery.continue')}
        </Button>
      </div>
    )
  }
  if (enrolment.isError) {
    return (
      <div className="flex flex-col gap-4">
        <ErrorCard title={wordsOf(enrolment.error)} />
        {back}
      </div>
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" aria-label={t('enrol.title')}>
      <h2 className="text-md font-semibold">{t('enrol.title')}</h2>
      <p className="text-muted">{t('enrol.required')}</p>
      {enrolment.data ? <SecretCard enrolment={enrolment.data} /> : <Skeleton lines={6} />}
      {words && !isWrong && <ErrorCard title={words} />}
      <CodeField
        value={code}
        onChange={setCode}
        onFull={(full) => activate.mutate(full)}
        label={t('enrol.code')}
        hint={t('enrol.codeHint')}
        error={isWrong && words}
        disabled={activate.isPending || !enrolment.data}
      />
      <Button type="submit" tone="primary" size="large" busy={activate.isPending}>
        {t('enrol.submit')}
      </Button>
      {back}
    </form>
  )
}
