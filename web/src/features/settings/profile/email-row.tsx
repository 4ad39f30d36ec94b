import { type Proof, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { useText } from 'virtual:words/settings'

/** A change that waits until its owner has shown who it is: `saved` and `refused` end the saving of the row. */
interface Asked {
  readonly email: string | null
  saved(shown: string): void
  refused(): void
}

/** The address of the account: whether it is confirmed, and what waits to take its place. */
export function EmailRow() {
  const t = useText('settings')
  const me = useMe()
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  const canMail = info.data?.mailAvailable === true
  const { email, emailVerified, pendingEmail } = me
  const [asked, setAsked] = useState<Asked | null>(null)
  const change = async (address: string | null, proof?: Proof): Promise<string> => {
    const user = await call(accountsRoutes.updateMe, { body: { email: address, ...(proof && { proof }) } })
    queryClient.setQueryData(meQuery.queryKey, user)
    if (user.pendingEmail !== null) toast(t('profile.emailSent', { email: user.pendingEmail }))
    return user.email ?? ''
  }
  async function save(text: string): Promise<string> {
    const address = text.trim() || null
    try {
      return await change(address)
    } catch (error) {
      if (codeOf(error) !== 'proof_needed') throw error
      return await new Promise((saved, refuse) => setAsked({ email: address, saved, refused: () => refuse(error) }))
    }
  }
  const resend = useMutation({
    mutationFn: () => call(accountsRoutes.sendVerification, {}),
    onSuccess: () => toast(t('profile.emailSent', { email: pendingEmail ?? email ?? '' })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const cancel = useMutation({
    mutationFn: () => call(accountsRoutes.cancelEmailChange, {}),
    onSuccess: (user) => queryClient.setQueryData(meQuery.queryKey, user),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const askAgain = (words: string) => (
    <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
      {words}
    </Button>
  )
  return (
    <>
      <TextRow
        id="email"
        label={t('profile.email')}
        help={info.data && !canMail ? t('profile.emailHelpNoMail') : t('profile.emailHelp')}
        value={email ?? ''}
        type="email"
        maxLength={254}
        autoComplete="email"
        ltr
        state={
          (email !== null || pendingEmail !== null) && (
            <div className="flex flex-col items-start gap-2">
              {pendingEmail === null ? (
                <span className="flex flex-wrap items-center gap-2">
                  <Badge tone={emailVerified ? 'ok' : 'warn'}>
                    {t(emailVerified ? 'profile.emailVerified' : 'profile.emailUnverified')}
                  </Badge>
                  {!emailVerified && canMail && askAgain(t('profile.emailConfirm'))}
                </span>
              ) : (
                <>
                  <p className="text-sm break-words" dir="auto">
                    {t('profile.emailPending', { email: pendingEmail })}
                  </p>
                  <span className="flex flex-wrap gap-2">
                    {canMail && askAgain(t('profile.emailResend'))}
                    <Button size="small" tone="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
                      {t('profile.emailCancel')}
                    </Button>
                  </span>
                </>
              )}
            </div>
          )
        }
        onSave={save}
      />
      {asked && (
        <ProofDialog
          title={t('profile.emailProofTitle')}
          text={t('profile.emailProofText')}
          confirm={t('profile.emailProofGo')}
          act={(proof) => change(asked.email, proof)}
          onDone={(shown) => {
            asked.saved(shown)
            setAsked(null)
          }}
          onClose={() => {
            asked.refused()
            setAsked(null)
          }}
        />
      )}
    </>
  )
}
