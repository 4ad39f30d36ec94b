import type { SpeechModel } from '@atrium/contract/speech'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Select } from '../../ui/select.tsx'
import { CopyButton } from '../copy-button.tsx'
import { transcriptionModelsQuery, usualModel } from '../dictation/transcribe.ts'
import { saveFile } from '../save-file.ts'
import { spokenLanguages } from '../spoken-languages.ts'
import { clockOf, writeSubtitles } from './subtitles.ts'
import { type Transcript, transcribeFile } from './transcribe-file.ts'
import { useText } from 'virtual:words/transcribe'

export interface RecordingFile {
  readonly name: string
  readonly load: () => Promise<Blob>
}

/** Turns sound or video into text, and gives it as text or subtitles. `of`: null to choose a file first. */
export function TranscribeDialog({ of, onClose }: { of: RecordingFile | null; onClose: () => void }) {
  const t = useText('transcribe')
  const [file, setFile] = useState(of)
  const picker = useRef<HTMLInputElement>(null)
  const { speechModel, dictation } = usePreferences()
  const [language, setLanguage] = useState(dictation.language ?? '')
  const { data: models, error } = useQuery(transcriptionModelsQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const keyOf = ({ pluginId, model }: SpeechModel) => JSON.stringify([pluginId, model])
  const model = models?.find((one) => keyOf(one) === chosen) ?? usualModel(models ?? [], speechModel)
  const [share, setShare] = useState(0)
  const [heard, setHeard] = useState<Transcript | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const work = useMutation({
    async mutationFn(before?: Transcript): Promise<Transcript> {
      if (!file || !model) throw new Error(t('noModel'))
      setShare(0)
      setHeard(null)
      stop.current = new AbortController()
      const { signal } = stop.current
      if (before) setHeard(before)
      const found = await transcribeFile(await file.load(), {
        model,
        language: language || null,
        signal,
        onProgress: setShare,
        before,
      })
      if (!found) throw new Error(t('unreadable'))
      return found
    },
    // What goes on and fails has lost nothing of what was there.
    onSuccess: setHeard,
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('title')}
      description={t('lead')}
      footer={
        work.isPending ? (
          <Button onClick={onClose}>{t('stop')}</Button>
        ) : (
          <Button tone="primary" disabled={!file || !model} onClick={() => work.mutate(undefined)}>
            {heard ? t('again') : t('begin')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {of === null && (
          <div className="flex flex-wrap items-center gap-3">
            <FilePicker
              picker={picker}
              accept="audio/*,video/*"
              single
              onFiles={([first]) => {
                if (!first) return
                work.reset()
                setHeard(null)
                setFile({ name: first.name, load: async () => first })
              }}
            />
            <Button disabled={work.isPending} onClick={() => picker.current?.click()}>
              {t('choose')}
            </Button>
            <p dir="auto" className="min-w-0 flex-1 truncate text-muted">
              {file?.name ?? t('noFile')}
            </p>
          </div>
        )}
        <div className="flex flex-wrap gap-3">
          <Field label={t('language')}>
            <Select
              className="w-56 max-w-full"
              value={language}
              disabled={work.isPending}
              options={[{ value: '', label: t('detect') }, ...spokenLanguages()]}
              onChange={setLanguage}
            />
          </Field>
          {models && models.length > 1 && model && (
            <Field label={t('model')}>
              <Select
                className="w-56 max-w-full"
                value={keyOf(model)}
                disabled={work.isPending}
                options={models.map((one) => ({ value: keyOf(one), label: `${one.model} · ${one.pluginName}` }))}
                onChange={setChosen}
              />
            </Field>
          )}
        </div>
        {models?.length === 0 && <p className="text-warn-ink">{t('noModel')}</p>}
        {error && <ErrorCard title={t('failed')}>{wordsOf(error)}</ErrorCard>}
        {work.isPending && <Progress label={t('working')} share={share === 0 ? null : share} />}
        <p role="status" className="sr-only">
          {work.isPending ? t('working') : heard ? t(heard.missing ? 'partly' : 'done') : ''}
        </p>
        {work.isError && (
          <ErrorCard title={t('failed')} details={detailsOf(work.error)}>
            {wordsOf(work.error)}
          </ErrorCard>
        )}
        {heard?.missing && !work.isPending && (
          <ErrorCard
            title={t('partial', { to: clockOf(heard.missing.start), all: clockOf(heard.missing.end) })}
            actions={<Button onClick={() => work.mutate(heard)}>{t('continue')}</Button>}
          >
            {heard.missing.detail}
          </ErrorCard>
        )}
        {heard && file && <Result name={file.name} transcript={heard} />}
      </div>
    </Dialog>
  )
}

function Result({ name, transcript: { text: heard, segments, missing } }: { name: string; transcript: Transcript }) {
  const t = useText('transcribe')
  const gap = missing && t('gap', { from: clockOf(missing.start), to: clockOf(missing.end) })
  const text = gap ? `${heard}\n\n[${gap}]` : heard
  if (!text) return <p className="text-muted">{t('silence')}</p>
  const base = name.replace(/\.[^.]{1,5}$/, '') || t('title')
  const save = (ending: string, content: string) => saveFile(`${base}.${ending}`, content)
  const icon = <Download aria-hidden className="size-3.5" />
  return (
    <section aria-label={t('result')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} label={t('copy')} />
        <Button size="small" icon={icon} onClick={() => save('txt', text)}>
          {t('saveText')}
        </Button>
        {segments.length > 0 ? (
          (['srt', 'vtt'] as const).map((format) => (
            <Button
              key={format}
              size="small"
              icon={icon}
              onClick={() => save(format, writeSubtitles(segments, format))}
            >
              {t('saveSubtitles', { format: format.toUpperCase() })}
            </Button>
          ))
        ) : (
          <p className="text-sm text-muted">{t('noTimes')}</p>
        )}
      </div>
      <div
        role="region"
        aria-label={t('result')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-80 overflow-y-auto rounded-lg border border-line p-3"
      >
        {segments.length === 0 ? (
          <p dir="auto" className="whitespace-pre-wrap">
            {text}
          </p>
        ) : (
          <ol className="flex flex-col gap-1.5">
            {segments.map((segment, at) => (
              <li key={at} className="flex gap-3">
                <span className="w-14 shrink-0 text-end text-sm text-muted tabular-nums">{clockOf(segment.start)}</span>
                <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
                  {segment.text}
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  )
}
