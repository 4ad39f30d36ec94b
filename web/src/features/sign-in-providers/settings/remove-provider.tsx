import { type IdentityProvider, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useText } from 'virtual:words/sign-in-providers'

/** Asks before a provider goes, with what goes with it. */
export function RemoveProvider({
  provider,
  onClose,
}: {
  provider: Pick<IdentityProvider, 'id' | 'name' | 'accounts'>
  onClose: () => void
}) {
  const t = useText('sign-in-providers')
  const { id, name, accounts } = provider
  const remove = useMutation({
    mutationFn: () => call(signInProvidersRoutes.removeIdentityProvider, { params: { id } }),
    onSuccess: () => {
      void refresh(signInProvidersRoutes.identityProviders)
      void refresh(signInProvidersRoutes.externalProviders)
      onClose()
    },
  })
  return (
    <FormDialog
      width="narrow"
      title={t('removeTitle', { name })}
      description={t('removeText', { count: accounts })}
      submit={t('remove')}
      tone="danger"
      busy={remove.isPending}
      error={failureOf(remove.error)}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
