import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { useState } from 'react'
import { useMe } from '../../api/account.ts'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { proveByPasskey } from '../passkeys.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { SignIn } from './sign-in.tsx'
import { useText } from 'virtual:words/sign-in'

/**
 * Asks its owner to show again whose session this is: by code or password, by a passkey, or by any road of sign-in.
 * `onEnd`: whether it was shown.
 */
export function ProveAgain({ onEnd }: { onEnd: (isProved: boolean) => void }) {
  const t = useText('sign-in')
  const me = useMe()
  const [otherWay, setOtherWay] = useState(false)
  function onSignedIn(user: User) {
    // Somebody else must not see what is on the page.
    if (user.id !== me.id) return location.assign('/')
    onEnd(true)
  }
  if (otherWay)
    return (
      <Dialog
        open
        onOpenChange={() => onEnd(false)}
        width="narrow"
        title={t('prove.title')}
        description={t('prove.text')}
      >
        <SignIn username={me.username} onSignedIn={onSignedIn} />
      </Dialog>
    )
  return (
    <ProofDialog
      title={t('prove.title')}
      text={t('prove.text')}
      confirm={t('prove.go')}
      act={(proof) => call(accountsRoutes.prove, { body: proof })}
      byPasskey={proveByPasskey}
      otherWay={
        <Button tone="quiet" onClick={() => setOtherWay(true)}>
          {t('prove.otherWay')}
        </Button>
      }
      onDone={() => onEnd(true)}
      onClose={() => onEnd(false)}
    />
  )
}
