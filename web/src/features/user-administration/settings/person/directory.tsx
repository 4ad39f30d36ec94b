import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import type { ListedUser } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BookUser, Unlink } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../../api/client.ts'
import { failureOf } from '../../../../api/errors.ts'
import { queryOf } from '../../../../api/query.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { Input } from '../../../../ui/input.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { nameOf } from '../../../../api/people.ts'
import { refreshPeople, usePeopleAction } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'

/** Links a person with their entry of the directory, or takes them off it; nothing where no directory is in use. */
export function DirectoryLink({ user }: { user: ListedUser }) {
  const settings = useQuery(queryOf(signInProvidersRoutes.ldap))
  if (user.signIn.includes('ldap')) return <UnlinkPerson user={user} />
  return settings.data?.enabled ? <LinkPerson user={user} /> : null
}

function UnlinkPerson({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const [asking, setAsking] = useState(false)
  const name = nameOf(user)
  const isOnlyWay = !user.signIn.some((way) => way !== 'ldap' && way !== 'totp')
  const unlink = usePeopleAction(
    () => call(signInProvidersRoutes.unlinkLdapAccount, { params: { id: user.id } }),
    () => {
      setAsking(false)
      toast(t('directory.unlinked', { name }))
    },
  )
  return (
    <>
      <Button icon={<Unlink className="size-4" />} onClick={() => setAsking(true)}>
        {t('directory.unlink')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('directory.unlinkTitle', { name })}
        confirm={t('directory.unlinkDo')}
        danger
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate(undefined)}
      >
        {isOnlyWay ? t('directory.unlinkOnlyWay', { name }) : t('directory.unlinkText')}
      </ConfirmDialog>
    </>
  )
}

function LinkPerson({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<BookUser className="size-4" />} onClick={() => setOpen(true)}>
        {t('directory.link')}
      </Button>
      {open && <LinkDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

function LinkDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const t = useText('user-administration')
  const [username, setUsername] = useState(user.username)
  const name = nameOf(user)
  const link = useMutation({
    mutationFn: () =>
      call(signInProvidersRoutes.linkLdapAccount, { params: { id: user.id }, body: { username: username.trim() } }),
    onSuccess: () => {
      toast(t('directory.linked', { name }))
      onClose()
    },
    onSettled: refreshPeople,
  })
  return (
    <FormDialog
      width="narrow"
      title={t('directory.linkTitle', { name })}
      description={t('directory.linkText')}
      submit={t('directory.linkDo')}
      busy={link.isPending}
      error={failureOf(link.error)}
      disabled={!username.trim()}
      onSubmit={() => link.mutate()}
      onClose={onClose}
    >
      <Field label={t('directory.name')} hint={t('directory.nameHint')}>
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
    </FormDialog>
  )
}
