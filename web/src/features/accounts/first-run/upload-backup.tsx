import { firstRestoreRoutes, type FirstRestore, type SentBackups } from '@atrium/contract/recovery-backup'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { formatDateTime, formatList, formatNumber, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Select } from '../../../ui/select.tsx'
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
  const [listed, setListed] = useState<SentBackups | null>(null)
  const [backupId, setBackupId] = useState('')
  // Of those that can be read: the newest of all may be damaged.
  const chosenId = backupId || (listed?.items[0]?.id ?? '')
  // Of the last thing that was tried: a list that could not be made, or a restore.
  const tried = listed?.reason ? listed : last
  const { reason } = tried
  const isAboutKey = reason === 'key' || reason === 'mistyped'

  /** What lies there still, after a mistyped key for instance, is not sent again. */
  async function sendOnce(chosen: readonly BackupFile[]) {
    setSent(0)
    if (held === chosen && (reason === null || isAboutKey)) return
    await sendBackup(chosen, setSent)
    setHeld(chosen)
  }
  const restore = useMutation({
    async mutationFn(chosen: readonly BackupFile[]) {
      await sendOnce(chosen)
      const body = { key, ...(chosenId && { backupId: chosenId }) }
      return await call(firstRestoreRoutes.beginFirstRestore, { body }, { asGuest: true })
    },
    onSuccess: (begun) => queryClient.setQueryData(keyOf(firstRestoreRoutes.firstRestore, {}), begun),
  })
  const list = useMutation({
    async mutationFn(chosen: readonly BackupFile[]) {
      await sendOnce(chosen)
      return await call(firstRestoreRoutes.listSentBackups, { body: { key } }, { asGuest: true })
    },
    onSuccess: setListed,
  })
  const isBusy = restore.isPending || list.isPending
  const all = sizeOf(files ?? [])
  const isEmpty = files !== null && files.length === 0
  const error = restore.error ?? list.error
  const failed = isBusy ? null : error ? wordsOf(error) : reasonWords()

  function reasonWords() {
    if (!reason) return null
    if (reason !== 'mistyped' || tried.wrongGroups.length === 0) return t(`restoreFailed.${reason}`)
    return t('restoreGroups', { groups: formatList(tried.wrongGroups.map((group) => formatNumber(group))) })
  }
  function forgetList() {
    setListed(null)
    setBackupId('')
    list.reset()
  }
  function choose(chosen: readonly BackupFile[]) {
    setFiles(chosen)
    forgetList()
  }
  const isReady = files !== null && files.length > 0 && key.trim() !== ''
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady) restore.mutate(files)
  }
  const backups = (listed?.items ?? []).map(({ id, createdAt }, at) => {
    const time = formatDateTime(createdAt)
    return { value: id, label: at === 0 ? t('restoreNewest', { time }) : time }
  })
  return (
    <form onSubmit={submit} className="mt-3 flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <p>{t('restoreFolder')}</p>
        <div className="flex min-w-0 items-center gap-3">
          <Button disabled={isBusy} onClick={() => picker.current?.click()}>
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
          choose(backupFilesIn([...(event.target.files ?? [])]))
          event.target.value = ''
        }}
      />
      <Field label={t('restoreKey')} hint={t('restoreKeyHint')} error={isAboutKey && failed} required>
        <PasswordInput
          value={key}
          autoComplete="off"
          onChange={(event) => {
            setKey(event.target.value)
            forgetList()
          }}
        />
      </Field>
      {backups.length > 0 && (
        <Field label={t('restoreWhich')}>
          <Select value={chosenId} onChange={setBackupId} options={backups} />
        </Field>
      )}
      {failed && !isAboutKey && (
        <p role="alert" className="text-danger-ink">
          {failed}
        </p>
      )}
      {isBusy && (
        <div role="status" className="flex flex-col gap-1.5">
          <span>{t('restoreSending', { sent: formatSize(sent), all: formatSize(all) })}</span>
          <Progress label={t('restoreSendingLabel')} share={all > 0 ? sent / all : null} className="w-full" />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={restore.isPending} disabled={!isReady || list.isPending}>
          {t('restoreGo')}
        </Button>
        {!listed?.items.length && (
          <Button
            busy={list.isPending}
            disabled={!isReady || restore.isPending}
            onClick={() => files && list.mutate(files)}
          >
            {t('restoreOlder')}
          </Button>
        )}
      </div>
    </form>
  )
}
