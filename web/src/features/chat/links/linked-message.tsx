import { type LinkedMessage, chatRoutes as routes } from '@atrium/contract/chat'
import { FileSearch, FileText, Sparkle } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { saveFile } from '../../../blocks/save-file.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { placeOf } from '../sources/place.ts'
import { useText } from 'virtual:words/chat-links'

const LinkedMedia = lazy(() => import('./linked-media.tsx').then((module) => ({ default: module.LinkedMedia })))

type File = LinkedMessage['attachments'][number]

/** One message as a visitor sees it. */
export function LinkedMessageRow({
  message,
  visit,
  ownerName,
}: {
  message: LinkedMessage
  visit: string
  ownerName: string | null
}) {
  const t = useText('chat-links')
  const { content } = message
  if (message.role === 'user') {
    return (
      <article
        aria-label={ownerName === null ? t('visit.question') : t('visit.questionBy', { name: ownerName })}
        className="flex flex-col items-end"
      >
        <Files message={message} visit={visit} className="justify-end" />
        {content && (
          <div className="max-w-[min(85%,40rem)] rounded-xl rounded-ee-sm bg-accent-soft/70 px-4 py-2.5">
            <Markdown text={content} />
          </div>
        )}
      </article>
    )
  }
  return (
    <article aria-label={t('visit.answer')}>
      <p aria-hidden className="mb-1 flex items-center gap-1.5 text-sm font-medium text-muted">
        <Sparkle className="size-3.5 text-accent-ink" />
        {t('visit.answer')}
      </p>
      {content && <Markdown text={content} />}
      <Files message={message} visit={visit} className="mt-3" />
      {message.media && (
        <Suspense>
          <LinkedMedia kind={message.media} visit={visit} messageId={message.id} />
        </Suspense>
      )}
      {message.status !== 'complete' && <p className="mt-2 text-sm text-muted">{t('visit.stopped')}</p>}
      <Sources sources={message.sources} />
    </article>
  )
}

const card = 'flex max-w-72 items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2'

function Files({ message, visit, className }: { message: LinkedMessage; visit: string; className: string }) {
  const t = useText('chat-links')
  const { attachments, documents, id: messageId } = message
  if (attachments.length + documents.length === 0) return null
  return (
    <ul aria-label={t('visit.files')} className={classNames('mb-2 flex max-w-full flex-wrap gap-2', className)}>
      {attachments.map((file) => (
        <li key={file.id} className="max-w-full">
          {file.kind === 'image' ? (
            <Picture {...{ file, visit, messageId }} />
          ) : (
            <SavedFile
              file={file}
              icon={<FileText aria-hidden className="size-4 shrink-0 text-muted" />}
              read={() => readFile(visit, messageId, file.id)}
            />
          )}
        </li>
      ))}
      {documents.map(({ id: documentId, name, sizeBytes }, index) =>
        documentId === null ? (
          <li key={index} className={card}>
            <FileSearch aria-hidden className="size-4 shrink-0 text-accent-ink" />
            <bdi className="min-w-0 truncate">{name}</bdi>
            <span className="shrink-0 text-xs text-muted">{formatSize(sizeBytes)}</span>
          </li>
        ) : (
          <li key={index} className="max-w-full">
            <SavedFile
              file={{ name, sizeBytes }}
              icon={<FileSearch aria-hidden className="size-4 shrink-0 text-accent-ink" />}
              read={() => call(routes.linkedDocument, { body: { visit, messageId, documentId } }, { asGuest: true })}
            />
          </li>
        ),
      )}
    </ul>
  )
}

interface FileProps {
  file: File
  visit: string
  messageId: string
}

const readFile = (visit: string, messageId: string, attachmentId: string): Promise<Blob> =>
  call(routes.linkedAttachment, { body: { visit, messageId, attachmentId } }, { asGuest: true })

/** A file that is saved with a click. */
function SavedFile({
  file,
  icon,
  read,
}: {
  file: Pick<File, 'name' | 'sizeBytes'>
  icon: ReactNode
  read: () => Promise<Blob>
}) {
  const t = useText('chat-links')
  const save = () =>
    read().then(
      (bytes) => saveFile(file.name, bytes),
      () => toast(t('visit.fileFailed', { name: file.name }), { tone: 'danger' }),
    )
  return (
    <button
      type="button"
      title={t('visit.openFile', { name: file.name })}
      onClick={() => void save()}
      className={`${card} hover:bg-hover`}
    >
      {icon}
      <span dir="auto" className="min-w-0 truncate">
        {file.name}
      </span>
      <span className="shrink-0 text-xs text-muted">{formatSize(file.sizeBytes)}</span>
    </button>
  )
}

/** Its bytes are asked for with the visit, so an address alone does not give them. */
function Picture({ file, visit, messageId }: FileProps) {
  const t = useText('chat-links')
  const [url, setUrl] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  const [large, setLarge] = useState(false)
  useEffect(() => {
    let made = ''
    let left = false
    readFile(visit, messageId, file.id).then(
      (bytes) => {
        if (left) return
        made = URL.createObjectURL(bytes)
        setUrl(made)
      },
      () => left || setFailed(true),
    )
    return () => {
      left = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [visit, messageId, file.id])
  if (failed) return <span className={card}>{t('visit.fileFailed', { name: file.name })}</span>
  const box = boxOf(file)
  if (url === null) return <div style={box} className="rounded-lg border border-line bg-sunken" />
  return (
    <>
      <button
        type="button"
        aria-label={t('visit.enlarge', { name: file.name })}
        onClick={() => setLarge(true)}
        className="grid min-h-8 min-w-8 place-items-center overflow-hidden rounded-lg border border-line"
      >
        <img src={url} alt={file.name} {...box} className="object-cover" />
      </button>
      {large && (
        <Dialog open onOpenChange={() => setLarge(false)} title={file.name} width="wide">
          <img src={url} alt={file.name} className="mx-auto max-h-[68dvh] rounded-md" />
        </Dialog>
      )}
    </>
  )
}

function boxOf({ width, height }: File): { width: number; height: number } {
  if (!width || !height) return { width: 240, height: 160 }
  const scale = Math.min(1, 280 / width, 220 / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

function Sources({ sources }: { sources: LinkedMessage['sources'] }) {
  const t = useText('chat-links')
  if (sources.length === 0) return null
  return (
    <section aria-label={t('visit.sources')} className="mt-3 flex flex-col gap-1.5">
      <h2 className="text-sm font-medium text-muted">{t('visit.sources')}</h2>
      <ol className="flex flex-col gap-1.5">
        {sources.map((source, index) => {
          const place = placeOf({ ...source, score: 0 })
          return (
            <li key={index}>
              <details className="rounded-lg border border-line px-3 py-2 text-sm">
                <summary className="cursor-pointer">
                  <span className="font-semibold text-accent-ink">{formatNumber(source.number ?? index + 1)}</span>{' '}
                  <bdi>{place ? `${source.name} · ${place}` : source.name}</bdi>
                </summary>
                <p dir="auto" className="mt-2 border-s-2 border-line ps-2 whitespace-pre-wrap">
                  {source.passage}
                </p>
                {source.url && (
                  <a
                    href={source.url}
                    target="_blank"
                    rel="noreferrer noopener"
                    dir="ltr"
                    className="mt-2 block truncate text-accent-ink underline"
                  >
                    {source.url}
                  </a>
                )}
              </details>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
