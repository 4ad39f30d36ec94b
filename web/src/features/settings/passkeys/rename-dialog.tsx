import { authentication, type Passkey } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from './texts.ts'

/** Another name for a passkey. */
export function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText('passkeys')
  const formId = useId()
  const [name, setName] = useState(passkey.name ?? '')
  const rename = useMutation({
    mutationFn: () => call(authentication.renamePasskey, { params: { id: passkey.id }, body: { name: name.trim() } }),
    onSuccess: onClose,
    onSettled: () => void refresh(authentication.passkeys),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim()) rename.mutate()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('renameTitle')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={rename.isPending} disabled={!name.trim()}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="pb-2">
        <Field label={t('name')} error={rename.isError && wordsOf(rename.error)}>
          <Input
            value={name}
            maxLength={64}
            dir="auto"
            autoComplete="off"
            autoFocus
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
