import type { Folder } from '@atrium/contract/chat'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { useUiWords } from '../../../ui/words.tsx'
import { useText } from 'virtual:words/chat-list'
import { createFolder, renameFolder, trashFolder } from './changes.ts'

/** Asks for the name of a new project and makes it. */
export function NewFolderDialog({
  parentId,
  onClose,
  onMade,
}: {
  /** The project that it is made in. */
  parentId: string | null
  onClose: () => void
  onMade: (folder: Folder) => unknown
}) {
  const t = useText('chat-list')
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  async function make() {
    setBusy(true)
    const folder = await createFolder(name.trim(), parentId)
    setBusy(false)
    if (!folder) return
    onClose()
    onMade(folder)
  }
  return (
    <NameDialog
      title={t('folder.new')}
      submit={t('folder.create')}
      busy={busy}
      name={name}
      onName={setName}
      onSubmit={() => void make()}
      onClose={onClose}
    />
  )
}

export function RenameDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const t = useText('chat-list')
  const [name, setName] = useState(folder.name)
  function rename() {
    if (name.trim() !== folder.name) void renameFolder(folder, name.trim())
    onClose()
  }
  return (
    <NameDialog
      title={t('folder.rename')}
      submit={t('folder.save')}
      name={name}
      onName={setName}
      onSubmit={rename}
      onClose={onClose}
    />
  )
}

function NameDialog({
  name,
  onName,
  ...rest
}: {
  title: string
  submit: string
  busy?: boolean
  name: string
  onName: (name: string) => void
  onSubmit: () => void
  onClose: () => void
}) {
  const t = useText('chat-list')
  return (
    <FormDialog width="narrow" disabled={!name.trim()} {...rest}>
      <Field label={t('folder.name')}>
        <Input dir="auto" maxLength={120} value={name} onChange={(event) => onName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

/** Asks what becomes of the chats in a project that goes. */
export function DeleteDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const t = useText('chat-list')
  const words = useUiWords()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  async function run(chats: 'keep' | 'trash') {
    setBusy(true)
    const done = await trashFolder(folder, chats)
    setBusy(false)
    if (!done) return
    onClose()
    if (location.pathname === links.project(folder.id)) void navigate({ to: links.newChat() })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('folder.deleteTitle', { name: folder.name })}
      description={folder.chatCount > 0 ? t('folder.deleteText', { count: folder.chatCount }) : t('folder.deleteEmpty')}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          {folder.chatCount > 0 && (
            <Button tone="danger" busy={busy} onClick={() => void run('trash')}>
              {t('folder.deleteWithChats')}
            </Button>
          )}
          <Button tone="primary" busy={busy} onClick={() => void run('keep')}>
            {folder.chatCount > 0 ? t('folder.deleteKeep') : t('delete')}
          </Button>
        </>
      }
    />
  )
}
