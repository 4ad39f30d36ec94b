import { FileText, RotateCcw, Scissors, TextCursorInput, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { classNames } from '../../lib/class-names.ts'
import { factSeparator, formatNumber, formatSize } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { attachmentUrl } from '../attachment-url.ts'
import { useText } from 'virtual:words/blocks'
import type { DraftBox } from './draft.ts'
import type { DraftFile } from './draft-file.ts'
import { isText } from './draft-rules.ts'

const documentChip = () => import('./document-chip.tsx')
const DocumentChip = lazy(() => documentChip().then((module) => ({ default: module.DocumentChip })))
const StillReading = lazy(() => documentChip().then((module) => ({ default: module.StillReading })))

/** The attachments and documents of a draft, each with its state and what can be done about it. */
export function Chips({
  chips,
  draft,
  onOpenDocuments,
  wholeTokens,
}: {
  chips: readonly DraftFile[]
  draft: DraftBox
  onOpenDocuments?: () => void
  wholeTokens: number
}) {
  const t = useText('blocks')
  const documents = chips.filter((chip) => chip.home === 'document')
  if (chips.length === 0) return null
  return (
    <>
      <ul
        aria-label={t('composer.attachments')}
        className="flex max-h-52 flex-wrap gap-2 overflow-y-auto px-3 pt-3 pb-0.5"
      >
        {chips.map((chip) =>
          chip.home === 'document' ? (
            <Suspense key={chip.key} fallback={<li className="text-sm">{chip.name}</li>}>
              <DocumentChip chip={chip} draft={draft} onOpen={onOpenDocuments} wholeTokens={wholeTokens} />
            </Suspense>
          ) : (
            <ChipRow key={chip.key} chip={chip} draft={draft} />
          ),
        )}
      </ul>
      {documents.length > 0 && (
        <Suspense>
          <StillReading chips={documents} writing={draft.store.getState().content.trim() !== ''} />
        </Suspense>
      )}
    </>
  )
}

function ChipRow({ chip, draft }: { chip: DraftFile; draft: DraftBox }) {
  const t = useText('blocks')
  const picture = chip.preview ?? (chip.attachment?.kind === 'image' ? attachmentUrl(chip.attachment.id) : null)
  const failed = chip.state === 'failed'
  return (
    <li
      className={classNames(
        'relative flex max-w-72 items-center gap-2 overflow-hidden rounded-lg border bg-sunken py-1 ps-1.5 pe-1',
        failed ? 'border-danger-ink/60' : 'border-line',
      )}
    >
      {picture ? (
        <img src={picture} alt="" className="size-8 rounded-sm object-cover" />
      ) : (
        <FileText aria-hidden className="ms-1 size-4 shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-sm">
          {chip.name}
        </span>
        <span className={classNames('block truncate text-xs', failed ? 'text-danger-ink' : 'text-muted')}>
          {failed && wordsOf(chip.error)}
          {chip.state === 'uploading' &&
            t('composer.uploading', { share: formatNumber(chip.progress, { style: 'percent' }) })}
          {chip.state === 'ready' &&
            describe(
              chip,
              t('composer.tokens', { tokens: formatNumber(chip.attachment?.tokens ?? 0) }),
              chip.attachment?.locationRemoved ? t('composer.locationRemoved') : null,
            )}
        </span>
      </span>
      {chip.pasted !== null && (
        <IconButton
          label={t('composer.inline')}
          icon={<TextCursorInput />}
          size="small"
          tooltipSide="top"
          onClick={() => {
            draft.type([draft.store.getState().content, chip.pasted].filter(Boolean).join('\n'))
            draft.cancel(chip.key)
          }}
        />
      )}
      {chip.attachment?.kind === 'text' && draft.fileOf(chip.key) && isText({ ...chip, type: '', size: 0 }) && (
        <IconButton
          label={t('composer.asExcerpts', { name: chip.name })}
          icon={<Scissors />}
          size="small"
          tooltipSide="top"
          onClick={() => draft.convert(chip.key)}
        />
      )}
      {failed && (
        <IconButton
          label={t('composer.retry', { name: chip.name })}
          icon={<RotateCcw />}
          size="small"
          tooltipSide="top"
          onClick={() => draft.retry(chip.key)}
        />
      )}
      <IconButton
        label={t('composer.remove', { name: chip.name })}
        icon={<X />}
        size="small"
        tooltipSide="top"
        onClick={() => draft.cancel(chip.key)}
      />
      {chip.state === 'uploading' && (
        <span
          role="progressbar"
          aria-label={chip.name}
          aria-valuenow={Math.round(chip.progress * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="absolute inset-x-0 bottom-0 h-0.5 bg-line"
        >
          <span className="block h-full bg-accent" style={{ width: `${chip.progress * 100}%` }} />
        </span>
      )}
    </li>
  )
}

const describe = (chip: DraftFile, tokens: string, removed: string | null) =>
  [removed, formatSize(chip.attachment?.sizeBytes ?? chip.sizeBytes), tokens]
    .filter((part) => part !== null)
    .join(factSeparator())
