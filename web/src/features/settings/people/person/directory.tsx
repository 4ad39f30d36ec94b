import { authentication } from '@atrium/contract/authentication'
import type { ListedUser } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BookUser, Unlink } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../../api/errors.ts'
import { queryOf } from '../../../../api/query.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../../ui/dialog.tsx'
import { ErrorCard } from '../../../../ui/error-card.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Input } from '../../../../ui/input.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { nameOf, refreshPeople, useDeed } from '../state.ts'
import { useText } from '../texts.ts'

/** Links a person with their entry of the directory, or takes them off it; nothing where no directory is in use. */
export function DirectoryLink({ user }: { user: ListedUser }) {
  const settings = useQuery(queryOf(authentication.ldap))
  if (user.signIn.includes('ldap')) return <UnlinkPerson user={user} />
  return settings.data?.enabled ? <LinkPerson user={user} /> : null
}

function UnlinkPerson({ user }: { user: ListedUser }) {
  const t = useText('people')
  const [asking, setAsking] = useState(false)
  const name = nameOf(user)
  const isOnlyWay = !user.signIn.some((way) => way !== 'ldap' && way !== 'totp')
  const unlink = useDeed(
    () => call(authentication.unlinkLdapAccount, { params: { id: user.id } }),
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
        cancel={t('settings:cancel')}
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
  const t = useText('people')
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
  const t = useText('people')
  const formId = useId()
  const [username, setUsername] = useState(user.username)
  const name = nameOf(user)
  const link = useMutation({
    mutationFn: () =>
      call(authentication.linkLdapAccount, { params: { id: user.id }, body: { username: username.trim() } }),
    onSuccess: () => {
      toast(t('directory.linked', { name }))
      onClose()
    },
    onSettled: refreshPeople,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (username.trim() && !link.isPending) link.mutate()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('directory.linkTitle', { name })}
      description={t('directory.linkText')}
      footer={
        <>
          <Button onClick={onClose}>{t('settings:cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={link.isPending} disabled={!username.trim()}>
            {t('directory.linkDo')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 pb-2">
        {link.isError && <ErrorCard title={wordsOf(link.error)} details={detailsOf(link.error)} />}
        <Field label={t('directory.name')} hint={t('directory.nameHint')}>
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            required
            autoFocus
            maxLength={254}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
