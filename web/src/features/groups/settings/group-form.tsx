import { type Group, groupsRoutes } from '@atrium/contract/groups'
import { usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/groups'

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
  const t = useText('groups')
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const [tried, setTried] = useState(false)
  const fault = name.trim() === '' ? t('fault') : null
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), description: description.trim() || null }
      return group
        ? call(groupsRoutes.renameGroup, { params: { id: group.id }, body })
        : call(groupsRoutes.addGroup, { body })
    },
    onSuccess: (saved) => {
      void refresh(groupsRoutes.groups)
      void refresh(userAdministrationRoutes.list)
      void refresh(usageRoutes.budgets)
      onClose()
      if (!group) onMade(saved)
    },
  })
  return (
    <FormDialog
      title={group ? t('editTitle', { name: group.name }) : t('add')}
      width="narrow"
      submit={group ? t('edit') : t('make')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => {
        setTried(true)
        if (fault === null) save.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('name')} error={tried ? fault : null} required>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={80}
          autoComplete="off"
          dir="auto"
        />
      </Field>
      <Field label={t('description')}>
        <TextArea
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          maxLength={500}
          rows={2}
          dir="auto"
        />
      </Field>
    </FormDialog>
  )
}
