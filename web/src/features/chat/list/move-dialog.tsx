import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/chat-list'
import { foldersQuery } from './cache.ts'
import { changeChat } from './changes.ts'
import { projectOptions } from './tree.ts'

/** Asks for the project that a chat is moved to. */
export function MoveDialog({
  chatId,
  current,
  onClose,
}: {
  chatId: string
  /** The project that it is in. */
  current: string | null
  onClose: () => void
}) {
  const t = useText('chat-list')
  const folders = useQuery(foldersQuery).data?.items ?? []
  const [chosen, setChosen] = useState(current ?? '')
  return (
    <FormDialog
      title={t('move.label')}
      width="narrow"
      submit={t('move.move')}
      disabled={chosen === (current ?? '')}
      onSubmit={() => {
        void changeChat(chatId, { folderId: chosen || null })
        onClose()
      }}
      onClose={onClose}
    >
      <Field label={t('move.project')}>
        <Select
          className="w-full"
          value={chosen}
          onChange={setChosen}
          options={projectOptions(folders, t('move.none'))}
        />
      </Field>
    </FormDialog>
  )
}
