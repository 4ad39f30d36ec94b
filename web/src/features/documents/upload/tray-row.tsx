import type { Job } from '@atrium/contract/durable-jobs'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, Clock, Copy, RotateCcw, X } from 'lucide-react'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { stageOf } from '../../../blocks/document-state/stage.ts'
import { failureWords, wordsOfStage } from '../../../blocks/document-state/state.tsx'
import { useText as useStateText } from 'virtual:words/document-state'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import type { Translate } from '../../../lib/texts.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { cancelDocuments } from '../data/changes.ts'
import { useText } from 'virtual:words/documents'
import { dropUpload, isUnderWay, type Upload } from './queue.ts'
import { largestFile } from './rules.ts'

/** One file: how far it is, and what can be done about it. */
export function UploadRow({
  item,
  job,
  onRetry,
}: {
  item: Upload
  job: Job | undefined
  /** null: another try would end the same way. */
  onRetry: (() => void) | null
}) {
  const t = useText('documents')
  const ofState = useStateText('document-state')
  const { state, file, folder, document } = item
  const bad = state === 'failed' || state === 'refused'
  const name = <bdi>{file.name}</bdi>
  const progress = job?.progress?.total ? job.progress.current / job.progress.total : null
  const cancel = () => {
    if (document && state === 'reading') void cancelDocuments([document])
    dropUpload(item.key)
  }
  return (
    <li className="flex items-start gap-2.5 py-2 ps-3.5 pe-1.5">
      <span className="mt-0.75 shrink-0">{iconOf(state)}</span>
      <div className="min-w-0 flex-1">
        <p className="truncate" title={folder ? `${folder}/${file.name}` : undefined}>
          {document ? (
            <Link to={links.document(document.id)} className="hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className={classNames('text-sm', bad ? 'text-danger-ink' : 'text-muted')}>
          {wordsFor(item, job, t, ofState)}
        </p>
        {(state === 'sending' || (state === 'reading' && progress !== null)) && (
          <Progress
            label={t('upload.progressOf', { name: file.name })}
            share={state === 'sending' ? item.share : (progress ?? 0)}
            className="mt-1"
          />
        )}
      </div>
      {state === 'failed' && onRetry && (
        <IconButton
          label={t('upload.retry', { name: file.name })}
          icon={<RotateCcw />}
          size="small"
          tooltipSide="none"
          onClick={onRetry}
        />
      )}
      <IconButton
        label={t(isUnderWay(item) || state === 'reading' ? 'upload.cancel' : 'upload.dismiss', { name: file.name })}
        icon={<X />}
        size="small"
        tooltipSide="none"
        onClick={cancel}
      />
    </li>
  )
}

function wordsFor(item: Upload, job: Job | undefined, t: Translate, ofState: Translate): string {
  const { state, file, document, error } = item
  if (state === 'sending')
    return t('upload.sending', { share: formatNumber(item.share, { style: 'percent' }), size: formatSize(file.size) })
  if (state === 'retrying')
    return codeOf(error) === 'offline' ? t('upload.offline') : t('upload.again', { reason: wordsOf(error) })
  if (state === 'refused') return t(`upload.refusal.${item.refusal}`, { size: formatSize(largestFile) })
  if (state === 'known') return t('upload.isKnown')
  if (state === 'failed') {
    if (document?.processingStatus === 'failed') return failureWords(document, ofState)
    return codeOf(error) === 'file_changed' ? t('upload.changed') : wordsOf(error)
  }
  if (document && (state === 'reading' || state === 'done'))
    return wordsOfStage(stageOf(document, job, Date.now()), ofState)
  return t('upload.waiting', { size: formatSize(file.size) })
}

function iconOf(state: Upload['state']) {
  if (state === 'failed' || state === 'refused') return <CircleAlert aria-hidden className="size-4 text-danger-ink" />
  if (state === 'done') return <CircleCheck aria-hidden className="size-4 text-ok-ink" />
  if (state === 'known') return <Copy aria-hidden className="size-4 text-muted" />
  if (state === 'waiting') return <Clock aria-hidden className="size-4 text-muted" />
  return <Spinner size={16} className="text-accent-ink" />
}
