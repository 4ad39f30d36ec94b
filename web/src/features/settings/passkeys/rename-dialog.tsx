import { type Passkey, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { NameField } from './name-field.tsx'
import { useText } from 'virtual:words/settings-passkeys'

/** Another name for a passkey. */
export function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText('settings-passkeys')
  const [name, setName] = useState(passkey.name ?? '')
  const rename = useMutation({
    mutationFn: () => call(accountsRoutes.renamePasskey, { params: { id: passkey.id }, body: { name: name.trim() } }),
    onSuccess: onClose,
    onSettled: () => void refresh(accountsRoutes.passkeys),
  })
  return (
    <FormDialog
      width="narrow"
      title={t('renameTitle')}
      submit={t('save')}
      busy={rename.isPending}
      error={failureOf(rename.error)}
      disabled={!name.trim()}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  )
}
