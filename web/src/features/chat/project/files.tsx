import type { Project } from '@atrium/contract/chat'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilePlus2, FileText, RotateCcw, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { useStage } from '../../../blocks/chat-documents/chat-documents-query.ts'
import { acceptedTypes } from '../../../blocks/composer/draft-rules.ts'
import { failureWords, wordsOfStage } from '../../../blocks/document-state/state.tsx'
import { useText as useStateText } from 'virtual:words/document-state'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { DropCard, useFileDrop } from '../../../ui/file-drop.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/chat-project'
import { Card } from './card.tsx'
import { collectionOf, projectFilesQuery, readAgain, removeFile } from './data.ts'

interface Upload {
  readonly id: number
  readonly name: string
  readonly share: number
}

/** The documents that chats of the project answer from: chosen, or dropped anywhere on the page. */
export function Files({ project }: { project: Project }) {
  const t = useText('chat-project')
  const { filesCollectionId } = project
  const list = useQuery({ ...projectFilesQuery(filesCollectionId ?? ''), enabled: filesCollectionId !== null })
  const files = filesCollectionId === null ? [] : (list.data?.items ?? [])
  const picker = useRef<HTMLInputElement>(null)
  const { uploads, add } = useUploads(project)
  const over = useFileDrop((transfer) => add([...transfer.files]))
  return (
    <Card
      title={t('files.title')}
      action={
        <>
          <FilePicker picker={picker} accept={acceptedTypes} onFiles={add} />
          <Button size="small" icon={<FilePlus2 className="size-3.5" />} onClick={() => picker.current?.click()}>
            {t('files.add')}
          </Button>
        </>
      }
    >
      {list.isError && filesCollectionId !== null && (
        <ErrorCard title={t('files.failed')} onRetry={() => void list.refetch()}>
          {wordsOf(list.error)}
        </ErrorCard>
      )}
      {files.length + uploads.length === 0 && !list.isError && <p className="text-sm text-muted">{t('files.none')}</p>}
      <ul aria-label={t('files.title')} className="flex flex-col gap-0.5">
        {uploads.map(({ id, name, share }) => (
          <li key={id} className="flex min-h-row items-center gap-2 text-sm text-muted">
            <Spinner size={14} label={t('files.uploading', { name })} />
            <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
            <span className="tabular-nums">{formatNumber(share, { style: 'percent' })}</span>
          </li>
        ))}
        {files.map((document) => (
          <FileRow key={document.id} document={document} />
        ))}
      </ul>
      {filesCollectionId !== null && list.data?.nextCursor && (
        <Link to={links.documents({ collection: filesCollectionId })} className="text-sm underline underline-offset-2">
          {t('files.more')}
        </Link>
      )}
      {over && <DropCard title={t('files.drop', { name: project.name })}>{null}</DropCard>}
    </Card>
  )
}

function FileRow({ document }: { document: Document }) {
  const t = useText('chat-project')
  const ofState = useStateText('document-state')
  const stage = useStage(document)
  const { filename: name } = document
  const failed = stage.kind === 'failed'
  return (
    <li className="flex items-start gap-2 py-1">
      <FileText aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <Link to={links.document(document.id)} className="block truncate text-sm font-medium hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <p
          role={stage.kind === 'ready' ? undefined : 'status'}
          className={classNames('text-xs', failed ? 'text-danger-ink' : 'text-muted')}
        >
          {failed
            ? failureWords(document, ofState)
            : stage.kind === 'ready'
              ? formatSize(document.size)
              : wordsOfStage(stage, ofState)}
        </p>
      </div>
      {failed && (
        <IconButton
          label={t('files.again', { name })}
          icon={<RotateCcw />}
          size="small"
          onClick={() => void readAgain(document)}
        />
      )}
      <IconButton
        label={t('files.remove', { name })}
        icon={<Trash2 />}
        size="small"
        onClick={() => void removeFile(document)}
      />
    </li>
  )
}

let lastUpload = 0

/** What is being sent, and how more is. What cannot be read is said at once. */
function useUploads(project: Project) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const abort = useRef<AbortController>(null)
  abort.current ??= new AbortController()
  async function send(file: File, signal: AbortSignal) {
    const { refusalOf, uploadDocument } = await import('../../../blocks/composer/upload-document.ts')
    const id = ++lastUpload
    try {
      const refused = refusalOf(file)
      if (refused) throw refused
      setUploads((now) => [...now, { id, name: file.name, share: 0 }])
      const collectionId = await collectionOf(project)
      await uploadDocument(file, { collectionId }, signal, (share) =>
        setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, share } : upload))),
      )
      await refresh(documentsRoutes.list)
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    } finally {
      setUploads((now) => now.filter((upload) => upload.id !== id))
    }
  }
  return {
    uploads,
    add: (all: readonly File[]) => {
      const { signal } = abort.current ?? new AbortController()
      // The first one makes the collection that the others go into.
      const [first, ...others] = all
      if (first) void send(first, signal).then(() => Promise.all(others.map((file) => send(file, signal))))
    },
  }
}
