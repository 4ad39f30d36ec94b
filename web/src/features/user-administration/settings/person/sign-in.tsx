import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { KeyRound, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../../../api/account.ts'
import { call } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { PasswordLink } from '../password-link.tsx'
import { nameOf } from '../../../../api/people.ts'
import { usePeopleAction } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'
import { DirectoryLink } from './directory.tsx'

/** Help for somebody who cannot come in: a link for a new password, an end to lost one-time codes, the directory. */
export function SignIn({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const [linking, setLinking] = useState(false)
  const [asking, setAsking] = useState(false)
  const name = nameOf(user)
  const isOwn = useMe().id === user.id
  const reset = usePeopleAction(
    () => call(userAdministrationRoutes.resetMfa, { params: { id: user.id } }),
    () => {
      setAsking(false)
      toast(t('signIn.resetDone', { name }))
    },
  )
  // There are settings of the own account for all of it, which ask for a proof.
  if (isOwn) return null
  return (
    <Group title={t('signIn.title')} text={t('signIn.text')}>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={<KeyRound className="size-4" />} onClick={() => setLinking(true)}>
          {t('signIn.link')}
        </Button>
        {user.signIn.includes('totp') && (
          <Button icon={<ShieldOff className="size-4" />} onClick={() => setAsking(true)}>
            {t('signIn.reset')}
          </Button>
        )}
        <DirectoryLink user={user} />
      </div>
      {linking && <PasswordLink user={user} onClose={() => setLinking(false)} />}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('signIn.resetTitle', { name })}
        confirm={t('signIn.reset')}
        danger
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined)}
      >
        {t('signIn.resetText')}
      </ConfirmDialog>
    </Group>
  )
}
