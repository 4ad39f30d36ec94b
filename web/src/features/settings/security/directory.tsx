import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation } from '@tanstack/react-query'
import { BookUser } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { codeOf, failureOf, wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/settings'
import { LinkedRow } from './linked-row.tsx'

/** The link with the directory. It stays while it is the only way in, which the server holds to as well. */
export function DirectoryRow({ enabled, hasPassword }: { enabled: boolean; hasPassword: boolean }) {
  const t = useText('settings')
  return (
    <LinkedRow
      icon={BookUser}
      name={t('security.directory')}
      unlink={hasPassword ? () => call(signInProvidersRoutes.unlinkLdap) : undefined}
      list={signInProvidersRoutes.ldapLink}
    >
      {t(!enabled ? 'security.directoryOff' : hasPassword ? 'security.directoryLinked' : 'security.directoryOnlyWay')}
    </LinkedRow>
  )
}

/** Opens the dialog that links; who has no password here yet sets one first, as both are asked for. */
export function LinkDirectory({ hasPassword }: { hasPassword: boolean }) {
  const t = useText('settings')
  const [open, setOpen] = useState(false)
  if (!hasPassword) return <p className="text-sm text-muted">{t('security.directoryPasswordFirst')}</p>
  return (
    <>
      <Button icon={<BookUser className="size-4" />} onClick={() => setOpen(true)}>
        {t('security.directoryLink')}
      </Button>
      {open && <LinkDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** The password here, then name and password there: whoever links shows that they are both. */
function LinkDialog({ onClose }: { onClose: () => void }) {
  const t = useText('settings')
  const me = useMe()
  const [currentPassword, setCurrentPassword] = useState('')
  const [username, setUsername] = useState(me.username)
  const [password, setPassword] = useState('')
  const link = useMutation({
    mutationFn: () =>
      call(signInProvidersRoutes.linkLdap, { body: { currentPassword, username: username.trim(), password } }),
    onSuccess: () => {
      void refresh(signInProvidersRoutes.ldapLink)
      toast(t('security.linked', { name: t('security.directory') }))
      onClose()
    },
  })
  const code = link.isError ? codeOf(link.error) : null
  const words = link.isError ? wordsOf(link.error) : undefined
  const isAtField = code === 'wrong_password' || code === 'wrong_credentials'
  return (
    <FormDialog
      width="narrow"
      title={t('security.directoryLink')}
      description={t('security.directoryProof')}
      submit={t('security.directoryLinkDo')}
      busy={link.isPending}
      error={isAtField ? null : failureOf(link.error)}
      disabled={!currentPassword || !username.trim() || !password}
      onSubmit={() => link.mutate()}
      onClose={onClose}
    >
      <Field label={t('security.directoryPasswordHere')} error={code === 'wrong_password' && words}>
        <PasswordInput
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={(event) => setCurrentPassword(event.target.value)}
        />
      </Field>
      <Field label={t('security.directoryName')}>
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          required
          maxLength={254}
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
      <Field
        label={t('security.directoryPasswordThere')}
        error={code === 'wrong_credentials' && t('security.directoryWrong')}
      >
        <PasswordInput
          autoComplete="off"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}
