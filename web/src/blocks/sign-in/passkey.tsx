import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import {
  offerPasskeys,
  PasskeyError,
  passkeyUnavailableReason,
  signInWithPasskey,
  withdrawPasskeys,
} from '../passkeys.ts'
import { useText } from 'virtual:words/sign-in'

/** An offer stands for less than its challenge does. */
const offerMs = 4 * 60_000

/** The road of passkeys: a button, and an offer in the field of the user name. Only where somebody here has one. */
export function PasskeyStep({ onSignedIn }: { onSignedIn: (user: User) => void }) {
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  if (!info.data?.passkeysInUse || passkeyUnavailableReason() !== null) return null
  return <Offered onSignedIn={onSignedIn} />
}

function Offered({ onSignedIn }: { onSignedIn: (user: User) => void }) {
  const t = useText('sign-in')
  const offer = useMutation({
    mutationFn: offerPasskeys,
    onSuccess: (answer) => answer && onSignedIn(answer.user),
  })
  const signIn = useMutation({
    mutationFn: signInWithPasskey,
    onMutate: offer.reset,
    onSuccess: ({ user }) => onSignedIn(user),
    // The button took the place of the offer.
    onError: () => offer.mutate(),
  })
  const renew = useEffectEvent(() => {
    if (!signIn.isPending && document.visibilityState === 'visible') offer.mutate()
  })
  useEffect(() => {
    renew()
    const timer = setInterval(renew, offerMs)
    return () => {
      clearInterval(timer)
      void withdrawPasskeys()
    }
  }, [])
  const error = signIn.error ?? offer.error
  return (
    <>
      {error && <ErrorCard title={error instanceof PasskeyError ? t('passkeyRefused') : wordsOf(error)} />}
      <Button
        size="large"
        icon={<KeyRound className="size-4" />}
        busy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('passkey')}
      </Button>
    </>
  )
}
