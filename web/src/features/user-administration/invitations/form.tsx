import { groupsRoutes } from '@atrium/contract/groups'
import { mailRoutes as mail } from '@atrium/contract/mail'
import { type Invitation, invitationRoutes } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/user-administration-invitations'

/** Who is invited, as what, and until when. */
export function InviteForm({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: { link: string; invitation: Invitation }) => void
}) {
  const t = useText('user-administration-invitations')
  const [email, setEmail] = useState('')
  const [wantsMail, setWantsMail] = useState(true)
  const [role, setRole] = useState<'user' | 'admin'>('user')
  const [days, setDays] = useState<Days>('7')
  const [groupIds, setGroupIds] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const fault = /^(\S+@\S+)?$/.test(email.trim()) ? null : t('form.emailFault')
  const settings = useQuery(queryOf(mail.settings))
  const groups = useQuery(queryOf(groupsRoutes.groups, { query: { limit: 200 } }))
  const canMail = settings.data?.available === true
  const send = canMail && wantsMail && email.trim() !== ''
  const invite = useMutation({
    mutationFn: () =>
      call(invitationRoutes.invite, {
        body: { email: email.trim() || null, role, groupIds: [...groupIds], expiresInDays: Number(days), send },
      }),
    onSuccess: ({ link, invitation }) => {
      void refresh(invitationRoutes.invitations)
      if (link === null) toast(t('form.sent', { email: invitation.email ?? '' }))
      else onMade({ link, invitation })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('form.title')}
      submit={send ? t('form.mail') : t('form.make')}
      busy={invite.isPending}
      error={failureOf(invite.error)}
      onSubmit={() => {
        setTried(true)
        if (fault === null) invite.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('form.email')} hint={t('form.emailHint')} error={tried && fault}>
        <Input
          type="email"
          autoComplete="off"
          dir="ltr"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      {settings.data && (
        <CheckField
          label={t('form.send')}
          hint={canMail ? t('form.sendText') : t('form.sendMissing')}
          checked={send}
          disabled={!canMail || email.trim() === ''}
          onChange={setWantsMail}
        />
      )}
      <div className="flex flex-wrap gap-5">
        <Field label={t('form.role')} className="w-44">
          <Select
            value={role}
            onChange={setRole}
            options={(['user', 'admin'] as const).map((value) => ({ value, label: t(`form.${value}`) }))}
          />
        </Field>
        <Field label={t('form.days')} className="w-44">
          <Select
            value={days}
            onChange={setDays}
            options={choices.map((value) => ({ value, label: t('form.daysCount', { count: Number(value) }) }))}
          />
        </Field>
      </div>
      {groups.data && groups.data.items.length > 0 && (
        <fieldset className="min-w-0">
          <legend className="mb-1.5 text-sm font-medium">{t('form.groups')}</legend>
          <div className="flex max-h-40 flex-wrap gap-x-5 gap-y-2 overflow-y-auto">
            {groups.data.items.map(({ id, name }) => (
              <label key={id} className="flex max-w-full items-center gap-2">
                <Checkbox
                  checked={groupIds.includes(id)}
                  onChange={(on) => setGroupIds(on ? [...groupIds, id] : groupIds.filter((each) => each !== id))}
                />
                <bdi className="truncate">{name}</bdi>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  )
}

const choices = ['1', '3', '7', '14', '30'] as const
type Days = (typeof choices)[number]
