import { type ChannelAttachment, channelsRoutes } from '@atrium/contract/channels'
import { toRequest } from '@atrium/contract/request'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { formatSize } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useText } from 'virtual:words/channels'

const addressOf = ({ id }: ChannelAttachment): string =>
  toRequest(channelsRoutes.attachment, { params: { attachmentId: id } }).path

const isPicture = ({ mediaType, width }: ChannelAttachment): boolean =>
  width !== null && /^image\/(?:png|jpeg|gif|webp|avif)$/.test(mediaType)

/** The files of a message. Pictures stand in boxes of known size, so that nothing jumps when they arrive. */
export function MessageFiles({ files }: { files: readonly ChannelAttachment[] }) {
  const t = useText('channels')
  const [large, setLarge] = useState<ChannelAttachment | null>(null)
  if (files.length === 0) return null
  return (
    <ul aria-label={t('row.files')} className="mt-1.5 flex max-w-full flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.id} className="max-w-full">
          {isPicture(file) ? (
            <button
              type="button"
              aria-label={t('row.enlarge', { name: file.name })}
              onClick={() => setLarge(file)}
              className="block max-w-full overflow-hidden rounded-lg border border-line"
            >
              <img src={addressOf(file)} alt={file.name} {...boxOf(file)} loading="lazy" className="object-cover" />
            </button>
          ) : (
            <a
              href={addressOf(file)}
              download={file.name}
              className="flex max-w-72 items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 hover:bg-hover"
            >
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="sr-only">{t('row.download', { name: file.name })}</span>
              <span aria-hidden dir="auto" className="min-w-0 truncate">
                {file.name}
              </span>
              <span aria-hidden className="shrink-0 text-xs text-muted">
                {formatSize(file.sizeBytes)}
              </span>
            </a>
          )}
        </li>
      ))}
      {large && (
        <Dialog open onOpenChange={() => setLarge(null)} title={large.name} width="wide">
          <img src={addressOf(large)} alt={large.name} className="mx-auto max-h-[68dvh] rounded-md" />
        </Dialog>
      )}
    </ul>
  )
}

function boxOf({ width, height }: ChannelAttachment): { width: number; height: number } {
  if (!width || !height) return { width: 240, height: 160 }
  const scale = Math.min(1, 300 / width, 240 / height)
  return { width: Math.max(24, Math.round(width * scale)), height: Math.max(24, Math.round(height * scale)) }
}
