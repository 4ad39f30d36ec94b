import type { Folder } from '@atrium/contract/chat'
import { type FormEvent, useState } from 'react'
import { create } from 'zustand'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from '../texts.ts'
import { createFolder } from './changes.ts'

type Then = (folder: Folder) => unknown
const useAsked = create<{ then: Then | null }>(() => ({ then: null }))

/** Asks for the name of a new folder, makes it, then does `then` with it. Menus close before a dialog of theirs opens. */
export const askFolderName = (then: Then = () => undefined): void => useAsked.setState({ then })

/** The dialog behind `askFolderName`; once on the page. */
export function FolderDialog() {
  const t = useText('chat')
  const then = useAsked((state) => state.then)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const close = () => {
    setName('')
    useAsked.setState({ then: null })
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!name.trim()) return
    setBusy(true)
    const folder = await createFolder(name.trim())
    setBusy(false)
    if (!folder) return
    close()
    then?.(folder)
  }
  return (
    <Dialog open={then !== null} onOpenChange={(open) => open || close()} title={t('folder.new')} width="narrow">
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={t('folder.name')}>
          <Input autoFocus dir="auto" maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="submit" tone="primary" busy={busy} disabled={!name.trim()}>
            {t('folder.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
