import {
  type Artifact,
  type ArtifactKind,
  artifactKinds,
  mostTitleLetters,
  type OpenArtifact,
} from '@atrium/contract/artifacts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../../api/errors.ts'
import { createArtifact, renameArtifact } from '../../blocks/artifact/changes.ts'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/artifacts'
import { useText as useBlockText } from 'virtual:words/artifact'

/** Asks for the title and the kind of a new artifact, or for another title of the given one. */
export function TitleDialog({
  artifact,
  onDone,
  onClose,
}: {
  artifact: Artifact | null
  onDone: (artifact: OpenArtifact) => void
  onClose: () => void
}) {
  const t = useText('artifacts')
  const words = useBlockText('artifact')
  const [title, setTitle] = useState(artifact?.title ?? '')
  const [kind, setKind] = useState<ArtifactKind>('html')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      artifact
        ? renameArtifact(artifact.id, title.trim())
        : createArtifact({ kind, title: title.trim(), content: '', language: null }),
    onSuccess: onDone,
  })
  const missing = title.trim() === ''
  function submit() {
    setTried(true)
    if (!missing) save.mutate()
  }
  return (
    <FormDialog
      width="narrow"
      title={artifact ? t('rename') : t('new')}
      submit={artifact ? t('save') : t('create')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('name')} error={tried && missing ? t('nameMissing') : null} required>
        <Input
          dir="auto"
          maxLength={mostTitleLetters}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      {!artifact && (
        <Field label={t('kindField')}>
          <Select
            value={kind}
            onChange={setKind}
            options={artifactKinds.map((value) => ({ value, label: words(`kind.${value}`) }))}
          />
        </Field>
      )}
    </FormDialog>
  )
}
