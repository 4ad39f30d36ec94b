import { Download, FileText } from 'lucide-react'
import { formatSize } from '../../lib/format.ts'
import { useText } from 'virtual:words/run-code'

export interface MadeFile {
  readonly name: string
  readonly mediaType: string
  readonly sizeBytes: number
  /** Where it is read. */
  readonly path: string
}

const isPicture = ({ mediaType }: MadeFile): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)

/** What a program made: pictures are shown, and all of it can be saved. */
export function MadeFiles({ files }: { files: readonly MadeFile[] }) {
  const t = useText('run-code')
  if (files.length === 0) return null
  return (
    <ul aria-label={t('files')} className="m-0! flex max-w-full list-none! flex-col gap-2 ps-0!">
      {files.map((file) => (
        <li key={file.path} className="flex max-w-full flex-col items-start gap-2">
          {isPicture(file) && (
            <img
              src={file.path}
              alt={file.name}
              loading="lazy"
              className="max-h-96 max-w-full rounded-md border border-line bg-sunken"
            />
          )}
          <a
            href={file.path}
            download={file.name.split('/').at(-1)}
            className="flex min-h-8 max-w-full items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1 text-ink! no-underline! hover:bg-hover"
          >
            <FileText aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="sr-only">{t('save', { name: file.name })}</span>
            <bdi aria-hidden className="min-w-0 truncate">
              {file.name}
            </bdi>
            <span aria-hidden className="shrink-0 text-xs text-muted">
              {formatSize(file.sizeBytes)}
            </span>
            <Download aria-hidden className="size-3.5 shrink-0 text-muted" />
          </a>
        </li>
      ))}
    </ul>
  )
}
