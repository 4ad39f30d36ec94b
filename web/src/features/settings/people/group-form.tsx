import { type Group, userAdministration } from '@atrium/contract/user-administration'
import { usage } from '@atrium/contract/usage'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { useText } from './texts.ts'

/** Makes a group, or changes its name and description. */
export function GroupForm({
  group,
  onClose,
  onMade,
}: {
  group: Group | null
  onClose: () => void
  onMade: (group: Group) => void
}) {
  const t = useText('people')
  const formId = useId()
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const [tried, setTried] = useState(false)
  const fault = name.trim() === '' ? t('group.fault') : null
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), description: description.trim() || null }
      return group
        ? call(userAdministration.renameGroup, { params: { id: group.id }, body })
        : call(userAdministration.addGroup, { body })
    },
    onSuccess: (saved) => {
      void refresh(userAdministration.groups)
      void refresh(userAdministration.list)
      void refresh(usage.budgets)
      onClose()
      if (!group) onMade(saved)
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={group ? t('group.editTitle', { name: group.name }) : t('group.add')}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>{t('settings:cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={save.isPending}>
            {group ? t('group.edit') : t('group.make')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-5 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (fault === null) save.mutate()
        }}
      >
        <Field
          label={t('group.name')}
          error={(tried ? fault : null) ?? (save.isError ? wordsOf(save.error) : null)}
          required
        >
          <Input
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              save.reset()
            }}
            maxLength={80}
            autoComplete="off"
            dir="auto"
            autoFocus
          />
        </Field>
        <Field label={t('group.description')}>
          <TextArea
            value={description}
            onChange={(event) => setDescription(event.target.value)}
            maxLength={500}
            rows={2}
            dir="auto"
          />
        </Field>
      </form>
    </Dialog>
  )
}
