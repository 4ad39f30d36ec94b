import type { Project } from '@atrium/contract/chat'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/chat-project'
import { Card } from './card.tsx'
import { changeProject } from './data.ts'

/** What the model is told in every chat of the project. */
export function Instructions({ project }: { project: Project }) {
  const t = useText('chat-project')
  const [editing, setEditing] = useState(false)
  const { instructions } = project.settings
  return (
    <Card
      title={t('instructions.title')}
      action={
        <Button size="small" onClick={() => setEditing(true)}>
          {t(instructions ? 'instructions.edit' : 'instructions.add')}
        </Button>
      }
    >
      {instructions ? (
        <p dir="auto" className="line-clamp-6 text-sm break-words whitespace-pre-wrap">
          {instructions}
        </p>
      ) : (
        <p className="text-sm text-muted">{t('instructions.none')}</p>
      )}
      {editing && <EditDialog project={project} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function EditDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const t = useText('chat-project')
  const [text, setText] = useState(project.settings.instructions)
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    const done = await changeProject(project.id, { settings: { instructions: text.trim() } })
    setBusy(false)
    if (done) onClose()
  }
  return (
    <FormDialog
      title={t('instructions.title')}
      submit={t('instructions.save')}
      busy={busy}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label={t('instructions.label')} hint={t('instructions.hint')}>
        <TextArea
          dir="auto"
          rows={8}
          maxRows={18}
          maxLength={20_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}
