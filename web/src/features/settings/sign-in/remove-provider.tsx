import { authentication, type IdentityProvider } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { useText } from './texts.ts'

/** Asks before a provider goes, with what goes with it. */
export function RemoveProvider({ provider, onClose }: { provider: IdentityProvider; onClose: () => void }) {
  const t = useText('settings-sign-in')
  const { id, name, accounts } = provider
  const remove = useMutation({
    mutationFn: () => call(authentication.removeIdentityProvider, { params: { id } }),
    onSuccess: () => {
      void refresh(authentication.identityProviders)
      void refresh(authentication.externalProviders)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('removeTitle', { name })}
      description={t('removeText', { count: accounts })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button tone="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t('remove')}
          </Button>
        </>
      }
    >
      {remove.isError && <ErrorCard title={wordsOf(remove.error)} />}
    </Dialog>
  )
}
