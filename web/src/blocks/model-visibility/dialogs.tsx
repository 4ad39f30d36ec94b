import { groupsRoutes } from '@atrium/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { links } from '../../lib/links.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { QueryView } from '../setting-row/query-view.tsx'
import { useText } from 'virtual:words/model-visibility'

/** What people see in place of a model's own name. */
export function LabelDialog({
  name,
  label,
  onClose,
  onSave,
}: {
  name: string
  label: string
  onClose: () => void
  onSave: (label: string) => void
}) {
  const t = useText('model-visibility')
  const [text, setText] = useState(label)
  return (
    <FormDialog
      title={t('renameTitle', { name })}
      description={t('renameText')}
      submit={t('save')}
      onClose={onClose}
      onSubmit={() => {
        onSave(text)
        onClose()
      }}
    >
      <Field label={t('renameLabel')}>
        <Input dir="auto" maxLength={128} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

/** Who may use a model, or several: everybody, or members of some groups. */
export function GroupsDialog({
  title,
  chosen,
  onClose,
  onSave,
}: {
  title: string
  chosen: readonly string[]
  onClose: () => void
  onSave: (groupIds: readonly string[]) => void
}) {
  const t = useText('model-visibility')
  const groups = useQuery(queryOf(groupsRoutes.groups, { query: { limit: 200 } }))
  const [ids, setIds] = useState(chosen)
  return (
    <FormDialog
      title={title}
      description={t('groups.text')}
      submit={ids.length === 0 ? t('groups.saveAll') : t('groups.save', { count: ids.length })}
      onClose={onClose}
      onSubmit={() => {
        onSave(ids)
        onClose()
      }}
    >
      <QueryView query={groups}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">
              {t('groups.none')}{' '}
              <Link
                to={links.settings('groups')}
                onClick={onClose}
                className="text-accent-ink underline underline-offset-2"
              >
                {t('groups.make')}
              </Link>
            </p>
          ) : (
            <fieldset className="min-w-0">
              <legend className="mb-1.5 text-sm font-medium">{t('groups.legend')}</legend>
              <div className="flex max-h-56 flex-col gap-2 overflow-y-auto">
                {items.map(({ id, name }) => (
                  <label key={id} className="flex max-w-full items-center gap-2">
                    <Checkbox
                      checked={ids.includes(id)}
                      onChange={(on) => setIds(on ? [...ids, id] : ids.filter((other) => other !== id))}
                    />
                    <bdi className="truncate">{name}</bdi>
                  </label>
                ))}
              </div>
            </fieldset>
          )
        }
      </QueryView>
    </FormDialog>
  )
}
