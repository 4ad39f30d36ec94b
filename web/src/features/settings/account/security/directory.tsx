import { authentication } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { BookUser, Unlink } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../../../api/account.ts'
import { call } from '../../../../api/client.ts'
import { codeOf, failureOf, wordsOf } from '../../../../api/errors.ts'
import { refresh } from '../../../../api/query.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { Input } from '../../../../ui/input.tsx'
import { PasswordInput } from '../../../../ui/password-input.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { useText } from '../../texts.ts'

/** The link with the directory. It stays while it is the only way in, which the server holds to as well. */
export function DirectoryRow({ enabled, hasPassword }: { enabled: boolean; hasPassword: boolean }) {
  const t = useText('settings')
  const name = t('security.directory')
  const unlink = useMutation({
    mutationFn: () => call(authentication.unlinkLdap),
    onSuccess: () => toast(t('security.unlinked', { name })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(authentication.ldapLink),
  })
  return (
    <li className="flex items-center gap-3 border-b border-line py-3">
      <BookUser aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">
          {t(
            !enabled ? 'security.directoryOff' : hasPassword ? 'security.directoryLinked' : 'security.directoryOnlyWay',
          )}
        </p>
      </div>
      {hasPassword && (
        <Button
          size="small"
          busy={unlink.isPending}
          icon={<Unlink className="size-3.5" />}
          aria-label={t('security.unlinkNamed', { name })}
          onClick={() => unlink.mutate()}
        >
          {t('security.unlink')}
        </Button>
      )}
    </li>
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
    mutationFn: () => call(authentication.linkLdap, { body: { currentPassword, username: username.trim(), password } }),
    onSuccess: () => {
      void refresh(authentication.ldapLink)
      toast(t('security.linked', { name: t('security.directory') }))
      onClose()
    },
  })
  const code = link.isError ? codeOf(link.error) : null
  const words = link.isError ? wordsOf(link.error) : undefined
  const isTyping = code === 'wrong_password' || code === 'wrong_credentials'
  return (
    <FormDialog
      width="narrow"
      title={t('security.directoryLink')}
      description={t('security.directoryProof')}
      submit={t('security.directoryLinkDo')}
      busy={link.isPending}
      error={isTyping ? null : failureOf(link.error)}
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
