import type { Document } from '@atrium/contract/document-knowledge'
import type { Job } from '@atrium/contract/durable-jobs'
import { CircleAlert, CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { number } from '../../lib/format.ts'
import { i18n } from '../../lib/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type Stage, stageOf } from './stage.ts'
import { useText } from './texts.ts'

/** The state of a document in a word or two, with its figures where something is going on. */
export function DocumentState({ document, job }: { document: Document; job?: Job | undefined }) {
  const t = useText('document-state')
  const stage = stageOf(document, job, Date.now())
  const words = wordsOfStage(stage, document, t)
  if (stage.kind === 'failed')
    return (
      <Badge tone="danger" icon={<CircleAlert />}>
        {words}
      </Badge>
    )
  if (stage.kind === 'words-only')
    return (
      <Badge tone="warn" icon={<TriangleAlert />}>
        {words}
      </Badge>
    )
  if (stage.kind === 'ready' || stage.kind === 'searchable')
    return (
      <Badge tone="ok" icon={<CircleCheck />}>
        {words}
      </Badge>
    )
  return (
    <Badge tone="info" icon={stage.kind === 'queued' ? <Clock /> : <Spinner size={12} />}>
      {words}
    </Badge>
  )
}

/** Why it could not be read and what to do about it; null for all others. */
export function DocumentFailureText({ document, className }: { document: Document; className?: string }) {
  const t = useText('document-state')
  if (document.processingStatus !== 'failed') return null
  return <span className={className}>{failureWords(document, t)}</span>
}

/** English takes the server's own sentence, which may be more exact. */
export function failureWords(document: Document, t: (key: string) => string): string {
  const code = document.processingErrorCode ?? 'internal'
  if (document.processingError && i18n.language.startsWith('en')) return document.processingError
  return t(`failure.${code}`)
}

export function wordsOfStage(stage: Stage, document: Document, t: ReturnType<typeof useText>): string {
  if (stage.kind === 'embedding') return t('embedding', { share: number(stage.share, { style: 'percent' }) })
  if (stage.kind !== 'reading') return t(stage.kind)
  const { current, total } = stage
  const part = current !== null && total ? readingWord(document, t, Math.min(current + 1, total), total) : t('reading')
  return stage.leftMs === null ? part : `${part} · ${leftWords(stage.leftMs, t)}`
}

function readingWord(document: Document, t: ReturnType<typeof useText>, current: number, total: number): string {
  if (document.fileType === 'pdf') return t('readingPage', { current: number(current), total: number(total) })
  if (document.fileType === 'pptx' || document.fileType === 'odp')
    return t('readingSlide', { current: number(current), total: number(total) })
  return t('readingShare', { share: number((current - 1) / total, { style: 'percent' }) })
}

export function leftWords(ms: number, t: ReturnType<typeof useText>): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 90
    ? t('secondsLeft', { count: seconds })
    : t('minutesLeft', { count: Math.max(1, Math.round(seconds / 60)) })
}
