import type { Document } from '@atrium/contract/documents'
import type { Job } from '@atrium/contract/durable-jobs'
import { CircleAlert, CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { factSeparator, formatNumber } from '../../lib/format.ts'
import { i18n } from '../../lib/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type Stage, stageOf } from './stage.ts'
import { useText } from 'virtual:words/document-state'

/** The state of a document in a word or two, with its figures where something is going on. */
export function DocumentState({ document, job }: { document: Document; job?: Job | undefined }) {
  const t = useText('document-state')
  const stage = stageOf(document, job, Date.now())
  const left = stage.kind === 'reading' && stage.leftMs !== null ? remainingWords(stage.leftMs, t) : null
  const badge = (
    <Badge tone={tones[stage.kind]} icon={icons[stage.kind]} className={wraps}>
      {wordsOfStage(stage.kind === 'reading' ? { ...stage, leftMs: null } : stage, t)}
    </Badge>
  )
  if (!left) return badge
  return (
    <span className="flex flex-col items-start gap-0.5">
      {badge}
      <span className="ps-2 text-xs text-muted">{left}</span>
    </span>
  )
}

/** A long step takes two lines where there is little room. */
const wraps = 'h-auto! min-h-5 max-w-full py-0.5 text-start whitespace-normal! [&_svg]:shrink-0'

const tones = {
  queued: 'info',
  reading: 'info',
  embedding: 'info',
  ready: 'ok',
  searchable: 'ok',
  'words-only': 'warn',
  failed: 'danger',
} as const

const icons = {
  queued: <Clock />,
  reading: <Spinner size={12} />,
  embedding: <Spinner size={12} />,
  ready: <CircleCheck />,
  searchable: <CircleCheck />,
  'words-only': <TriangleAlert />,
  failed: <CircleAlert />,
}

/** Why it could not be read and what to do about it; null for all others. */
export function DocumentFailureText({ document, className }: { document: Document; className?: string }) {
  const t = useText('document-state')
  if (document.processingStatus !== 'failed') return null
  return <span className={className}>{failureWords(document, t)}</span>
}

/** Whether another try can end better: files that are damaged, protected or of another kind fail the same way again. */
export const isWorthRetrying = ({ processingErrorCode }: Document): boolean => !lasting.has(processingErrorCode ?? '')

const lasting: ReadonlySet<string> = new Set([
  ...['empty', 'unsupported', 'mismatch', 'encrypted', 'damaged', 'too_complex', 'no_text'],
])

/** English takes the server's own sentence, which may be more exact. */
export function failureWords(document: Document, t: (key: string) => string): string {
  const code = document.processingErrorCode ?? 'internal'
  if (document.processingError && i18n.language.startsWith('en')) return document.processingError
  return t(`failure.${code}`)
}

export function wordsOfStage(stage: Stage, t: ReturnType<typeof useText>): string {
  if (stage.kind === 'embedding') return t('embedding', { share: formatNumber(stage.share, { style: 'percent' }) })
  if (stage.kind !== 'reading') return t(stage.kind)
  const { step, current, total, leftMs } = stage
  const what =
    step.done !== null && step.of !== null
      ? t(`step.${step.name}Of`, { done: formatNumber(step.done), of: formatNumber(step.of) })
      : t(`step.${step.name}`)
  const share = current && total && step.of === null ? formatNumber(current / total, { style: 'percent' }) : null
  return [what, share, leftMs !== null && remainingWords(leftMs, t)].filter(Boolean).join(factSeparator())
}

export function remainingWords(ms: number, t: ReturnType<typeof useText>): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 90
    ? t('secondsLeft', { count: seconds })
    : t('minutesLeft', { count: Math.max(1, Math.round(seconds / 60)) })
}
