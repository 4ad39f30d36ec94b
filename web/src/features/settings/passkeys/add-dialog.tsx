import { authentication, type Proof } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, Problem, wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/door/proof-dialog.tsx'
import { makePasskey, PasskeyRefused } from '../../../blocks/passkeys.ts'
import { deviceOf } from '../../../lib/device.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from './texts.ts'

const begin = (proof: Proof) => call(authentication.passkeyRegisterOptions, { body: proof })

/** Adds a passkey: a name, a proof where the sign-in was long ago, and then it is the device's turn. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useText('passkeys')
  const formId = useId()
  const [name, setName] = useState(nameOfDevice)
  const make = useMutation({
    mutationFn: async (ceremony: Awaited<ReturnType<typeof begin>> | null) =>
      await makePasskey(ceremony ?? (await begin({})), name.trim()),
    onSuccess: () => {
      for (const route of [authentication.passkeys, authentication.mfa, authentication.systemInfo]) void refresh(route)
      toast(t('added'))
      onClose()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    make.mutate(null)
  }
  if (codeOf(make.error) === 'proof_needed') {
    return (
      <ProofDialog
        title={t('addTitle')}
        text={t('proofText')}
        confirm={t('continue')}
        act={begin}
        onDone={(ceremony) => make.mutate(ceremony)}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('addTitle')}
      description={t('addText')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={make.isPending}>
            {t('continue')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 pb-2">
        {make.isError && <Failed error={make.error} />}
        <Field label={t('name')} hint={t('nameHint')}>
          <Input
            value={name}
            maxLength={64}
            dir="auto"
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}

function Failed({ error }: { error: unknown }) {
  const t = useText('passkeys')
  if (error instanceof PasskeyRefused) return <ErrorCard title={t(error.known ? 'known' : 'refused')} />
  return <ErrorCard title={wordsOf(error)} details={error instanceof Problem ? detailsOf(error) : undefined} />
}

const nameOfDevice = (): string => {
  const { browser, system } = deviceOf(navigator.userAgent)
  return [browser, system].filter(Boolean).join(' · ')
}
