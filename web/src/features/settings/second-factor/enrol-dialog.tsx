import { type Enrolment, type Proof, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { EnrolFields } from '../../../blocks/sign-in/enrol-fields.tsx'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { useCode } from '../../../blocks/sign-in/use-code.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { ShownCodes } from './shown-codes.tsx'
import { useText } from 'virtual:words/settings-second-factor'

const begin = (proof: Proof) => call(accountsRoutes.enrollMfa, { body: proof })

/** Sets one-time codes up: a proof where the sign-in was long ago, then the secret, a first code, the recovery codes. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const t = useText('settings-second-factor')
  const [shown, setShown] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const first = useQuery({
    // A secret is kept nowhere longer than this dialog is open.
    queryKey: ['second-factor-enrol'],
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnReconnect: false,
    queryFn: () => begin({}),
  })
  const enrolment = shown ?? first.data
  function close() {
    void refresh(accountsRoutes.mfa)
    onClose()
  }
  if (codes) return <ShownCodes codes={codes} onClose={close} />
  if (!enrolment && first.isError && codeOf(first.error) === 'proof_needed') {
    return (
      <ProofDialog
        title={t('enrolTitle')}
        text={t('proofText')}
        confirm={t('continue')}
        act={begin}
        onDone={setShown}
        onClose={close}
      />
    )
  }
  return (
    <Confirm
      enrolment={enrolment}
      failed={first.isError && !shown ? first.error : null}
      onCodes={setCodes}
      onClose={close}
    />
  )
}

function Confirm({
  enrolment,
  failed,
  onCodes,
  onClose,
}: {
  enrolment: Enrolment | undefined
  failed: unknown
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}) {
  const t = useText('settings-second-factor')
  const first = useCode(
    (typed) => call(accountsRoutes.activateMfa, { body: { code: typed } }),
    ({ recoveryCodes }) => onCodes(recoveryCodes),
  )
  return (
    <FormDialog
      width="narrow"
      title={t('enrolTitle')}
      description={t('enrolText')}
      submit={t('confirm')}
      busy={first.busy}
      disabled={!enrolment}
      error={first.failure ?? failureOf(failed)}
      onSubmit={() => first.code.length === 6 && first.tryCode(first.code)}
      onClose={onClose}
    >
      {!failed && <EnrolFields enrolment={enrolment} first={first} />}
    </FormDialog>
  )
}
