import { useMutation } from '@tanstack/react-query'
import { FileText, X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/button.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/tool-calls'
import { acceptedTypes } from '../composer/draft-rules.ts'
import { type AskValue, isFile } from './ask-fields.ts'

/** Where a question is answered with a file: it is uploaded at once, and refused here in words. */
export function AskFileInput({
  label,
  value,
  error,
  onChange,
  chatId,
}: {
  label: string
  value: AskValue
  error: string | null
  onChange: (value: AskValue) => void
  chatId: string | null
}) {
  const t = useText('tool-calls')
  const name = useId()
  const picker = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const stop = (): AbortController => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current
  }
  const uploading = useMutation({
    async mutationFn(file: File) {
      const { signal } = stop()
      onChange({ name: file.name, answer: null })
      try {
        const { uploadAnswer } = await import('./upload-answer.ts')
        onChange({ name: file.name, answer: await uploadAnswer(file, chatId, signal) })
        announce(t('ask.uploaded', { name: file.name }))
      } catch (failure) {
        // Another file was chosen, or none: nobody waits for this one any more.
        if (signal.aborted) return
        onChange('')
        throw failure
      }
    },
  })
  const chosen = isFile(value) ? value : null
  const refused = uploading.error && chosen === null ? wordsOf(uploading.error) : error
  const remove = (): void => {
    stop()
    uploading.reset()
    onChange('')
  }
  return (
    <fieldset aria-describedby={`${name}-note`}>
      <legend className="mb-1.5 font-medium">
        <bdi>{label}</bdi>
        <span className="sr-only"> ({t('ask.required')})</span>
      </legend>
      <div className="flex flex-wrap items-center gap-2">
        {chosen && (
          <span className="flex h-control max-w-full items-center gap-2 rounded-md border border-line bg-raised ps-2.5 pe-1">
            {chosen.answer === null ? (
              <Spinner label={t('ask.uploading', { name: chosen.name })} />
            ) : (
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
            )}
            <bdi className="min-w-0 truncate">{chosen.name}</bdi>
            <IconButton
              size="small"
              label={t('ask.removeFile', { name: chosen.name })}
              icon={<X className="size-3.5" />}
              onClick={remove}
            />
          </span>
        )}
        <Button size="small" onClick={() => picker.current?.click()}>
          {t(chosen ? 'ask.changeFile' : 'ask.chooseFile')}
        </Button>
      </div>
      <FilePicker
        picker={picker}
        single
        accept={acceptedTypes}
        onFiles={([file]) => {
          if (file) uploading.mutate(file)
        }}
      />
      <p
        id={`${name}-note`}
        role={refused ? 'alert' : undefined}
        className={refused ? 'mt-1 text-danger-ink' : 'mt-1 text-xs text-muted'}
      >
        {refused ?? t('ask.fileNote')}
      </p>
    </fieldset>
  )
}
