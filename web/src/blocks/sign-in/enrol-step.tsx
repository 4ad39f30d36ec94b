import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { BackButton } from './back-button.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { EnrolFields } from './enrol-fields.tsx'
import { RecoveryCodeList } from './recovery-codes.tsx'
import type { StepProps } from './step-props.ts'
import { useText } from 'virtual:words/sign-in'
import { useCode } from './use-code.ts'

interface Done {
  readonly user: User
  readonly recoveryCodes: readonly string[]
}

/** Where a second factor is required and there is none: one-time codes are set up before the session begins. */
export function EnrolStep({ challengeToken, onSignedIn, onBack }: StepProps) {
  const t = useText('sign-in')
  const [done, setDone] = useState<Done | null>(null)
  const [stored, setStored] = useState(false)
  const enrolment = useQuery({
    // Kept nowhere after this step: it holds a secret.
    queryKey: ['enrol-by-challenge', challengeToken],
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnReconnect: false,
    queryFn: () => call(accountsRoutes.enrollByChallenge, { body: { challengeToken } }, { asGuest: true }),
  })
  const first = useCode(
    (typed) => call(accountsRoutes.activateByChallenge, { body: { challengeToken, code: typed } }, { asGuest: true }),
    setDone,
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
  return (
    <div className="flex flex-col gap-4">
      {enrolment.isError ? (
        <ErrorCard title={wordsOf(enrolment.error)} />
      ) : (
        <>
          <h2 className="text-md font-semibold">{t('enrol.title')}</h2>
          <p className="text-muted">{t('enrol.required')}</p>
          <CredentialsForm
            submit={t('enrol.submit')}
            label={t('enrol.title')}
            busy={first.busy}
            failed={first.failure?.title}
            error={first.error}
            onSubmit={() => first.code.length === 6 && first.tryCode(first.code)}
          >
            <EnrolFields enrolment={enrolment.data} first={first} />
          </CredentialsForm>
        </>
      )}
      <BackButton onBack={onBack} />
    </div>
  )
}
