import { type Proof, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { makePasskey, PasskeyError } from '../../../blocks/passkeys.ts'
import { deviceOf } from '../../../lib/device.ts'
import type { Translate } from '../../../lib/texts.ts'
import type { Failure } from '../../../ui/error-card.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { NameField } from './name-field.tsx'
import { useText } from 'virtual:words/settings-passkeys'

const begin = (proof: Proof) => call(accountsRoutes.passkeyRegisterOptions, { body: proof })

/** Adds a passkey: a name, a proof (a code where codes are on, else the password where the sign-in was long ago), and then it is the device's turn. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useText('settings-passkeys')
  const [name, setName] = useState(nameOfDevice)
  const make = useMutation({
    mutationFn: async (ceremony: Awaited<ReturnType<typeof begin>> | null) =>
      await makePasskey(ceremony ?? (await begin({})), name.trim()),
    onSuccess: () => {
      for (const route of [accountsRoutes.passkeys, accountsRoutes.mfa, accountsRoutes.systemInfo]) void refresh(route)
      toast(t('added'))
      onClose()
    },
  })
  if (codeOf(make.error) === 'proof_needed') {
    return (
      <ProofDialog
        title={t('addTitle')}
        text={(byCode) => t(byCode ? 'proofCode' : 'proofText')}
        confirm={t('continue')}
        act={begin}
        onDone={(ceremony) => make.mutate(ceremony)}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      width="narrow"
      title={t('addTitle')}
      description={t('addText')}
      submit={t('continue')}
      busy={make.isPending}
      error={failureFor(make.error, t)}
      onSubmit={() => make.mutate(null)}
      onClose={onClose}
    >
      <NameField hint={t('nameHint')} value={name} onChange={setName} />
    </FormDialog>
  )
}

/** A device that gave no passkey says so in words of its own. */
function failureFor(error: unknown, t: Translate): Failure | null {
  return error instanceof PasskeyError ? { title: t(error.known ? 'known' : 'refused') } : failureOf(error)
}

const nameOfDevice = (): string => {
  const { browser, system } = deviceOf(navigator.userAgent)
  return [browser, system].filter(Boolean).join(' · ')
}
