import { firstRestoreRoutes, type FirstRestore } from '@atrium/contract/recovery-backup'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { formatList, formatNumber, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { type BackupFile, backupFilesIn, sendBackup, sizeOf } from './backup-files.ts'
import { useText } from 'virtual:words/accounts-first-run'

/** Sends the files of a backup and the key that opens them; `last` is what became of the try before. */
export function UploadBackup({ last }: { last: FirstRestore }) {
  const t = useText('accounts-first-run')
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly BackupFile[] | null>(null)
  const [key, setKey] = useState('')
  const [sent, setSent] = useState(0)
  const [held, setHeld] = useState<readonly BackupFile[] | null>(null)
  const { reason } = last
  const isAboutKey = reason === 'key' || reason === 'mistyped'
  const isHeld = last.state === 'failed' && isAboutKey
  const restore = useMutation({
    async mutationFn(chosen: readonly BackupFile[]) {
      setSent(0)
      // After a mistyped key all of it is there still.
      if (!isHeld || held !== chosen) await sendBackup(chosen, setSent)
      setHeld(chosen)
      return await call(firstRestoreRoutes.beginFirstRestore, { body: { key } }, { asGuest: true })
    },
    onSuccess: (begun) => queryClient.setQueryData(keyOf(firstRestoreRoutes.firstRestore, {}), begun),
  })
  const all = sizeOf(files ?? [])
  const isEmpty = files !== null && files.length === 0
  const failed = restore.isPending ? null : restore.isError ? wordsOf(restore.error) : reasonWords()

  function reasonWords() {
    if (!reason) return null
    if (reason !== 'mistyped' || last.wrongGroups.length === 0) return t(`restoreFailed.${reason}`)
    return t('restoreGroups', { groups: formatList(last.wrongGroups.map((group) => formatNumber(group))) })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (files && files.length > 0 && key.trim()) restore.mutate(files)
  }
  return (
    <form onSubmit={submit} className="mt-3 flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <p>{t('restoreFolder')}</p>
        <div className="flex min-w-0 items-center gap-3">
          <Button disabled={restore.isPending} onClick={() => picker.current?.click()}>
            {t('restoreChoose')}
          </Button>
          <span role="status" className="min-w-0 text-muted">
            {all > 0 && t('restoreChosen', { size: formatSize(all) })}
          </span>
        </div>
        {isEmpty && (
          <p role="alert" className="text-danger-ink">
            {t('restoreNone')}
          </p>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t('restoreChoose')}
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          setFiles(backupFilesIn([...(event.target.files ?? [])]))
          event.target.value = ''
        }}
      />
      <Field label={t('restoreKey')} hint={t('restoreKeyHint')} error={isAboutKey && failed} required>
        <PasswordInput value={key} autoComplete="off" onChange={(event) => setKey(event.target.value)} />
      </Field>
      {failed && !isAboutKey && (
        <p role="alert" className="text-danger-ink">
          {failed}
        </p>
      )}
      {restore.isPending && (
        <div role="status" className="flex flex-col gap-1.5">
          <span>{t('restoreSending', { sent: formatSize(sent), all: formatSize(all) })}</span>
          <Progress label={t('restoreSendingLabel')} share={all > 0 ? sent / all : null} className="w-full" />
        </div>
      )}
      <Button
        type="submit"
        tone="primary"
        className="self-start"
        busy={restore.isPending}
        disabled={!files || files.length === 0 || !key.trim()}
      >
        {t('restoreGo')}
      </Button>
    </form>
  )
}
