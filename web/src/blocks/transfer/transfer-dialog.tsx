/** Offers ownership of one thing, or of everything that is shared, to somebody. */
import type { Principal } from '@atrium/contract/access'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { CheckField } from '../../ui/check-field.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toaster.tsx'
import { PrincipalField } from '../share/principal-field.tsx'
import { useText } from 'virtual:words/transfer'

export interface TransferOffer {
  readonly toAccountId: string
  readonly keeps: 'read' | null
}

export function TransferDialog<R>({
  title,
  text,
  mayKeep,
  offer,
  done,
  onClose,
}: {
  title: string
  text: string
  /** Whether the former owner can go on reading it. */
  mayKeep: boolean
  offer: (offer: TransferOffer) => Promise<R>
  /** What is said afterwards. */
  done: (answer: R, name: string) => string
  onClose: () => void
}) {
  const t = useText('transfer')
  const [who, setWho] = useState<Principal | null>(null)
  const [keep, setKeep] = useState(mayKeep)
  const act = useMutation({
    mutationFn: (to: Principal) => offer({ toAccountId: to.id, keeps: mayKeep && keep ? 'read' : null }),
    onSuccess: (answer, to) => {
      toast(done(answer, to.name))
      onClose()
    },
  })
  return (
    <FormDialog
      title={title}
      description={text}
      submit={t('offer')}
      busy={act.isPending}
      disabled={who === null}
      error={act.error && { title: wordsOf(act.error), details: detailsOf(act.error) }}
      onSubmit={() => who && act.mutate(who)}
      onClose={onClose}
    >
      <Field label={t('who')} hint={t('whoHint')}>
        <PrincipalField value={who} onChange={setWho} taken={[]} accountsOnly />
      </Field>
      {mayKeep && <CheckField label={t('keep')} checked={keep} onChange={setKeep} />}
    </FormDialog>
  )
}
