import { FileText, RotateCcw, X } from 'lucide-react'
import { wordsOf } from '../../../api/errors.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/channels'
import type { ChannelDraft, DraftFile } from './draft.ts'

/** The files of a draft, each with its state and what can be done about it. */
export function FileChips({ files, draft }: { files: readonly DraftFile[]; draft: ChannelDraft }) {
  const t = useText('channels')
  if (files.length === 0) return null
  return (
    <ul aria-label={t('composer.files')} className="flex max-h-44 flex-wrap gap-2 overflow-y-auto px-3 pt-3 pb-0.5">
      {files.map((file) => (
        <FileChip key={file.key} file={file} draft={draft} />
      ))}
    </ul>
  )
}

function FileChip({ file, draft }: { file: DraftFile; draft: ChannelDraft }) {
  const t = useText('channels')
  const { key, name, state } = file
  const failed = state === 'failed'
  return (
    <li
      className={classNames(
        'relative flex max-w-72 items-center gap-2 overflow-hidden rounded-lg border bg-sunken py-1 ps-1.5 pe-1',
        failed ? 'border-danger-ink/60' : 'border-line',
      )}
    >
      {file.preview ? (
        <img src={file.preview} alt="" className="size-8 rounded-sm object-cover" />
      ) : (
        <FileText aria-hidden className="ms-1 size-4 shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-sm">
          {name}
        </span>
        <span className={classNames('block truncate text-xs', failed ? 'text-danger-ink' : 'text-muted')}>
          {failed
            ? wordsOf(file.error)
            : state === 'uploading'
              ? t('composer.uploading', { share: formatNumber(file.progress, { style: 'percent' }) })
              : formatSize(file.sizeBytes)}
        </span>
      </span>
      {failed && (
        <IconButton
          label={t('composer.retryFile', { name })}
          icon={<RotateCcw />}
          size="small"
          tooltipSide="top"
          onClick={() => draft.retry(key)}
        />
      )}
      <IconButton
        label={t('composer.remove', { name })}
        icon={<X />}
        size="small"
        tooltipSide="top"
        onClick={() => draft.cancel(key)}
      />
      {state === 'uploading' && (
        <span
          role="progressbar"
          aria-label={name}
          aria-valuenow={Math.round(file.progress * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="absolute inset-x-0 bottom-0 h-0.5 bg-line"
        >
          <span className="block h-full bg-accent" style={{ width: `${file.progress * 100}%` }} />
        </span>
      )}
    </li>
  )
}
