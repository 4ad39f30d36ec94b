import type { Attachment, SentDocument } from '@atrium/contract/chat'
import { FileSearch, FileText } from 'lucide-react'
import { useState } from 'react'
import { attachmentUrl } from '../../../blocks/attachment-url.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatSize } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useText } from 'virtual:words/chat'
import 'virtual:words/chat-documents'
import { useThread } from './context.ts'

/** The files of a sent message. Images stand in boxes of known size, so that nothing jumps when they arrive. */
export function SentAttachments({
  attachments,
  documents,
}: {
  attachments: readonly Attachment[]
  documents: readonly SentDocument[]
}) {
  const t = useText('chat')
  const { chat, ownerName, showDocuments } = useThread()
  const urlOf = ({ id }: Attachment) => attachmentUrl(id, ownerName === null ? undefined : chat.id)
  const [large, setLarge] = useState<Attachment | null>(null)
  if (attachments.length + documents.length === 0) return null
  return (
    <ul aria-label={t('row.attachments')} className="mb-2 flex max-w-full flex-wrap justify-end gap-2">
      {attachments.map((file) => (
        <li key={file.id} className="max-w-full">
          {file.kind === 'image' ? (
            <button
              type="button"
              aria-label={t('row.enlarge', { name: file.name })}
              onClick={() => setLarge(file)}
              className="block overflow-hidden rounded-lg border border-line"
            >
              <img src={urlOf(file)} alt={file.name} {...boxOf(file)} className="object-cover" />
            </button>
          ) : (
            <a
              href={urlOf(file)}
              target="_blank"
              rel="noreferrer"
              className="flex max-w-72 items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 hover:bg-hover"
            >
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span dir="auto" className="min-w-0 truncate">
                {file.name}
              </span>
              <span className="shrink-0 text-xs text-muted">{formatSize(file.sizeBytes)}</span>
            </a>
          )}
        </li>
      ))}
      {documents.map((file) => (
        <li key={file.id} className="max-w-full">
          <SentFile name={file.name} size={file.sizeBytes} onOpen={ownerName === null ? showDocuments : undefined} />
        </li>
      ))}
      {large && (
        <Dialog open onOpenChange={() => setLarge(null)} title={large.name} width="wide">
          <img src={urlOf(large)} alt={large.name} className="mx-auto max-h-[68dvh] rounded-md" />
        </Dialog>
      )}
    </ul>
  )
}

/** A document that came with the message; its own chat shows it among the documents. */
function SentFile({ name, size: bytes, onOpen }: { name: string; size: number; onOpen?: (() => void) | undefined }) {
  const t = useText('chat-documents')
  const inside = (
    <>
      <FileSearch aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <span className="min-w-0 truncate">
        <bdi>{name}</bdi>
      </span>
      <span className="shrink-0 text-xs text-muted">{formatSize(bytes)}</span>
    </>
  )
  const look = 'flex max-w-72 items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2'
  if (!onOpen) return <span className={look}>{inside}</span>
  return (
    <button type="button" title={t('open', { name })} onClick={onOpen} className={classNames(look, 'hover:bg-hover')}>
      {inside}
    </button>
  )
}

function boxOf({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return { width: 240, height: 160 }
  const scale = Math.min(1, 280 / width, 220 / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
