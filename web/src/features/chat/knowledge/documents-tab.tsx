import type { ChatSettings } from '@atrium/contract/chat'
import type { Document } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { FilePlus2, FileSearch, LibraryBig, RotateCcw, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useMe } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { keepDocument, retryReading, removeDocument, stopReading } from '../../../blocks/chat-documents/actions.ts'
import { chatDocumentsQuery, useStage } from '../../../blocks/chat-documents/chat-documents-query.ts'
import { acceptedTypes } from '../../../blocks/composer/draft-rules.ts'
import { failureWords, wordsOfStage } from '../../../blocks/document-state/state.tsx'
import { useText as useStateText } from 'virtual:words/document-state'
import { Link } from '@tanstack/react-router'
import { classNames } from '../../../lib/class-names.ts'
import { factSeparator, formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toaster.tsx'
import type { Conversation } from '../open/conversation.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { foldersQuery } from '../list/cache.ts'
import { saveSettings } from '../open/edit.ts'
import { isCreated, type OpenChat } from '../open/store.ts'
import { projectQuery } from '../project/data.ts'
import { useThread } from '../thread/context.ts'
import { Collections } from './collections.tsx'
import { SwitchRow } from './switch-row.tsx'
import { useText } from 'virtual:words/chat-knowledge'
import { WholeDocuments } from './whole-documents.tsx'

/** What questions of this chat look in: its own documents, collections, the library; and how much of it is sent. */
export function DocumentsTab({ chat, conversation }: { chat: OpenChat; conversation: Conversation }) {
  const t = useText('chat-knowledge')
  const { attempt } = useThread()
  const { settings } = conversation.head
  const list = useQuery({ ...chatDocumentsQuery(chat.id), enabled: isCreated(chat) })
  const documents = list.data?.items ?? []
  const project = useQuery(foldersQuery).data?.items.find(({ id }) => id === conversation.head.folderId)
  const inProject = useQuery({ ...projectQuery(project?.id ?? ''), enabled: project !== undefined }).data
  const ofProject = inProject
    ? [...(inProject.filesCollectionId ? [inProject.filesCollectionId] : []), ...inProject.settings.collectionIds]
    : []
  const set = (change: ChatSettings) => attempt(() => saveSettings(chat, (now) => ({ ...now, ...change })))
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="chat-documents" className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <h3 id="chat-documents" className="min-w-0 flex-1 text-sm font-semibold">
            {t('own')}
          </h3>
          <Add chat={chat} />
        </div>
        {list.isPending && list.fetchStatus !== 'idle' && <Skeleton lines={3} />}
        {list.isError && (
          <ErrorCard title={t('failed')} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {(list.isSuccess || list.fetchStatus === 'idle') && documents.length === 0 && (
          <p className="rounded-lg border border-dashed border-line-strong/60 px-3 py-4 text-center text-sm text-muted">
            {t('none')}
          </p>
        )}
        {documents.length > 0 && (
          <ul className="flex flex-col gap-2">
            {documents.map((document) => (
              <Row key={document.id} document={document} />
            ))}
          </ul>
        )}
      </section>
      <section aria-label={t('where')} className="flex flex-col gap-4">
        <h3 className="text-sm font-semibold">{t('where')}</h3>
        <Collections
          chosen={settings.knowledgeCollectionIds ?? []}
          onChange={(ids) => set({ knowledgeCollectionIds: ids.length ? ids : undefined })}
        />
        <SwitchRow
          label={t('library')}
          hint={t('libraryHint')}
          checked={settings.useLibrary !== false}
          onChange={(on) => set({ useLibrary: on ? undefined : false })}
        />
        {project && (
          <p className="text-sm text-muted">
            {t('project')}{' '}
            <Link to={links.project(project.id)} className="text-ink underline underline-offset-2">
              <bdi>{project.name}</bdi>
            </Link>
          </p>
        )}
        <WholeDocuments
          documents={documents}
          alsoIn={ofProject}
          conversation={conversation}
          onChange={(on) => set({ fullDocumentContext: on || undefined })}
        />
      </section>
    </div>
  )
}

function Add({ chat }: { chat: OpenChat }) {
  const t = useText('chat-knowledge')
  const me = useMe()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <FilePicker
        picker={picker}
        accept={acceptedTypes}
        onFiles={(files) => draftOfChat(me.id, chat).attach(files, undefined, 'document')}
      />
      <Button size="small" icon={<FilePlus2 className="size-3.5" />} onClick={() => picker.current?.click()}>
        {t('add')}
      </Button>
    </>
  )
}

function Row({ document }: { document: Document }) {
  const t = useText('chat-knowledge')
  const ofState = useStateText('document-state')
  const { attempt, openSource } = useThread()
  const stage = useStage(document)
  const { filename: name } = document
  const failed = stage.kind === 'failed'
  const reading = stage.kind === 'queued' || stage.kind === 'reading'
  const facts = [
    formatSize(document.size),
    document.parts && ['pdf', 'pptx', 'odp', 'xlsx', 'ods'].includes(document.fileType)
      ? t(`parts.${partsWord(document)}`, { count: document.parts })
      : null,
    document.tokens ? t('tokens', { count: document.tokens, tokens: formatNumber(document.tokens) }) : null,
  ].filter(Boolean)
  return (
    <li
      className={classNames(
        'rounded-lg border bg-raised py-2 ps-3 pe-1.5',
        failed ? 'border-danger-ink/60' : 'border-line',
      )}
    >
      <div className="flex items-start gap-2">
        <FileSearch aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <button
            type="button"
            onClick={() => openSource({ documentId: document.id, name })}
            className="block max-w-full truncate py-0.5 text-start font-medium hover:underline"
          >
            <bdi>{name}</bdi>
          </button>
          <p className="text-xs text-muted">{facts.join(factSeparator())}</p>
        </div>
        {failed && (
          <IconButton
            label={t('again', { name })}
            icon={<RotateCcw />}
            size="small"
            onClick={() => attempt(() => retryReading(document))}
          />
        )}
        {!failed && !reading && (
          <IconButton
            label={t('keep', { name })}
            icon={<LibraryBig />}
            size="small"
            onClick={() =>
              attempt(async () => {
                await keepDocument(document)
                toast(t('kept', { name }))
              })
            }
          />
        )}
        <IconButton
          label={t(reading ? 'stop' : 'remove', { name })}
          icon={<Trash2 />}
          size="small"
          onClick={() => attempt(() => (reading ? stopReading(document) : removeDocument(document)))}
        />
      </div>
      {stage.kind !== 'ready' && (
        <p role="status" className={classNames('mt-1 text-xs', failed ? 'text-danger-ink' : 'text-muted')}>
          {failed ? failureWords(document, ofState) : wordsOfStage(stage, ofState)}
        </p>
      )}
    </li>
  )
}

const partsWord = ({ fileType }: Document): 'pages' | 'slides' | 'sheets' =>
  fileType === 'pdf' ? 'pages' : fileType === 'pptx' || fileType === 'odp' ? 'slides' : 'sheets'
