import { authentication, type Enrolment, type Proof } from '@atrium/contract/authentication'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { CodeField } from '../../../blocks/door/code-field.tsx'
import { ProofDialog } from '../../../blocks/door/proof-dialog.tsx'
import { SecretCard } from '../../../blocks/door/secret-card.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ShownCodes } from './shown-codes.tsx'
import { useText } from './texts.ts'

const begin = (proof: Proof) => call(authentication.enrollMfa, { body: proof })

/** Sets one-time codes up: a proof where the sign-in was long ago, then the secret, a first code, the recovery codes. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const t = useText('second-factor')
  const [shown, setShown] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const first = useQuery({
    // A secret is kept nowhere longer than this dialog is open.
    ...{ queryKey: ['second-factor-enrol'], gcTime: 0, staleTime: Infinity, retry: false, refetchOnReconnect: false },
    queryFn: () => begin({}),
  })
  const enrolment = shown ?? first.data
  function close() {
    void refresh(authentication.mfa)
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
  const t = useText('second-factor')
  const formId = useId()
  const [code, setCode] = useState('')
  const activate = useMutation({
    mutationFn: (typed: string) => call(authentication.activateMfa, { body: { code: typed } }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: () => setCode(''),
  })
  const isWrong = activate.isError && codeOf(activate.error) === 'wrong_code'
  const words = activate.isError ? wordsOf(activate.error) : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.length === 6 && !activate.isPending) activate.mutate(code)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('enrolTitle')}
      description={t('enrolText')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={activate.isPending} disabled={!enrolment}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 pb-2">
        {failed ? (
          <ErrorCard title={wordsOf(failed)} details={detailsOf(failed)} />
        ) : enrolment ? (
          <SecretCard enrolment={enrolment} />
        ) : (
          <Skeleton lines={6} />
        )}
        {words && !isWrong && <ErrorCard title={words} details={detailsOf(activate.error)} />}
        {enrolment && (
          <CodeField
            value={code}
            onChange={setCode}
            onFull={(full) => activate.mutate(full)}
            label={t('code')}
            hint={t('codeHint')}
            error={isWrong && words}
            disabled={activate.isPending}
          />
        )}
      </form>
    </Dialog>
  )
}
