import {
  type BackupDestination,
  backupPlaceKinds,
  recoveryBackupRoutes as routes,
} from '@atrium/contract/recovery-backup'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Draft, draftOf, isOptional, isWhole, placeOf, textFields } from './draft.ts'
import { useText } from 'virtual:words/recovery-backup'

const placeholders: Readonly<Record<string, string>> = {
  path: '/mnt/backup/atrium',
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  url: 'https://cloud.example.org/remote.php/dav/files/me/atrium',
}

/** Says where backups are kept: a folder, storage that speaks S3, or a WebDAV server. */
export function DestinationForm({ before, onClose }: { before: BackupDestination | null; onClose: () => void }) {
  const t = useText('recovery-backup')
  const [draft, setDraft] = useState(() => draftOf(before))
  const [allowPrivate, setAllowPrivate] = useState(false)
  const [tried, setTried] = useState(false)
  const change = (more: Partial<Draft>) => setDraft((known) => ({ ...known, ...more }))
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        name: draft.name.trim(),
        place: placeOf(draft),
        ...(draft.secret === '' || draft.kind === 'folder' ? {} : { secret: draft.secret }),
        ...(allowPrivate ? { allowPrivate } : {}),
      }
      if (before) await call(routes.updateDestination, { params: { id: before.id }, body })
      else await call(routes.addDestination, { body })
    },
    onSuccess: () => {
      void refresh(routes.destinations)
      void refresh(routes.backupsState)
      onClose()
    },
  })
  const isRefused = codeOf(save.error) === 'url_not_allowed'
  const missing = (text: string) => (tried && text.trim() === '' ? t('needed') : undefined)
  return (
    <FormDialog
      title={before ? t('editTitle', { name: before.name }) : t('addTitle')}
      submit={t('save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => {
        setTried(true)
        if (isWhole(draft, before === null)) save.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('name')} error={missing(draft.name)} required>
        <Input
          value={draft.name}
          maxLength={80}
          dir="auto"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      {before === null && (
        <Field label={t('kindLabel')}>
          <Select
            value={draft.kind}
            onChange={(kind) => change({ kind })}
            options={backupPlaceKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
        </Field>
      )}
      {textFields[draft.kind].map((field) => (
        <Field
          key={field}
          label={t(`field.${field}`)}
          hint={field === 'region' || field === 'bucket' || field === 'accessKeyId' ? undefined : t(`hint.${field}`)}
          error={isOptional(field) ? undefined : missing(draft[field])}
          required={!isOptional(field)}
        >
          <Input
            value={draft[field]}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={1000}
            placeholder={placeholders[field]}
            onChange={(event) => change({ [field]: event.target.value })}
          />
        </Field>
      ))}
      {draft.kind !== 'folder' && (
        <Field
          label={t(draft.kind === 's3' ? 'secretKey' : 'password')}
          hint={before ? t('secretKept') : undefined}
          error={before ? undefined : missing(draft.secret)}
          required={before === null}
        >
          <PasswordInput
            name="destination-secret"
            autoComplete="new-password"
            maxLength={1024}
            value={draft.secret}
            onChange={(event) => change({ secret: event.target.value })}
          />
        </Field>
      )}
      {draft.kind === 's3' && (
        <CheckField
          label={t('pathStyle')}
          hint={t('pathStyleHint')}
          checked={draft.pathStyle}
          onChange={(pathStyle) => change({ pathStyle })}
        />
      )}
      {(isRefused || allowPrivate) && (
        <CheckField label={t('allowPrivate')} checked={allowPrivate} onChange={setAllowPrivate} />
      )}
    </FormDialog>
  )
}
