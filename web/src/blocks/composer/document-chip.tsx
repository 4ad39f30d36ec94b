import type { Document } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { FileSearch, RotateCcw, ScrollText, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { classNames } from '../../lib/class-names.ts'
import { factSeparator, formatList, formatNumber, formatSize } from '../../lib/format.ts'
import type { Translate } from '../../lib/texts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { retryReading, removeDocument, stopReading } from '../chat-documents/actions.ts'
import { chatDocumentsQuery, useStage } from '../chat-documents/chat-documents-query.ts'
import { useText } from 'virtual:words/chat-documents'
import type { Stage } from '../document-state/stage.ts'
import { failureWords, wordsOfStage } from '../document-state/state.tsx'
import { useText as useStateText } from 'virtual:words/document-state'
import type { DraftBox } from './draft.ts'
import type { DraftFile } from './draft-file.ts'
import { isText } from './draft-rules.ts'

interface Props {
  chip: DraftFile
  draft: DraftBox
  /** Shows all documents of the chat. */
  onOpen?: () => void
  /** Up to so many tokens the documents of the chat go whole. */
  wholeTokens: number
}

/** A document of the chat on its way: uploaded, read, searchable; or why it failed. */
export function DocumentChip(props: Props) {
  const document = useLatest(props.chip, props.draft)
  return document ? <Taken {...props} document={document} /> : <OnItsWay {...props} />
}

/** Before the server has it. */
function OnItsWay({ chip, draft }: Props) {
  const t = useText('chat-documents')
  const failed = chip.state === 'failed'
  const words = failed
    ? wordsOf(chip.error)
    : chip.state === 'waiting'
      ? t('waiting')
      : // What the server gets by itself has no share that is known here.
        chip.sizeBytes === 0
        ? t('adding')
        : t('uploading', { share: formatNumber(chip.progress, { style: 'percent' }) })
  return (
    <Frame
      chip={chip}
      words={words}
      failed={failed}
      share={chip.state === 'uploading' && chip.sizeBytes > 0 ? chip.progress : null}
    >
      {failed && <Again name={chip.name} onClick={() => draft.retry(chip.key)} />}
      <Away label={t('dismiss', { name: chip.name })} onClick={() => draft.cancel(chip.key)} />
    </Frame>
  )
}

/** As the server has it. */
function Taken({ chip, draft, onOpen, wholeTokens, document }: Props & { document: Document }) {
  const t = useText('chat-documents')
  const ofState = useStateText('document-state')
  const stage = useStage(document)
  const [busy, setBusy] = useState(false)
  const { name } = chip
  // The question went off without waiting; now answers find the document, and the box is free of it.
  const reading = stage.kind === 'queued' || stage.kind === 'reading'
  const done = chip.sent && !reading && stage.kind !== 'failed'
  useEffect(() => {
    if (done) draft.cancel(chip.key)
  }, [done, draft, chip.key])
  const attempt = (work: () => Promise<unknown>) => {
    setBusy(true)
    work()
      .catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
      .finally(() => setBusy(false))
  }
  const known = chip.document?.deduplicated === true
  const remove = async () => {
    // What the chat had before stays in it.
    if (!known) await removeDocument(document, () => draft.restore(chip))
    draft.cancel(chip.key)
  }
  const stop = async () => {
    await stopReading(document)
    draft.cancel(chip.key)
  }
  const file = draft.fileOf(chip.key)
  const allWhole = useAllWhole(document, wholeTokens)
  const words = known && stage.kind === 'ready' ? t('known') : wordsFor(document, stage, allWhole, t, ofState)
  const away = known ? t('dismiss', { name }) : reading ? t('stop', { name }) : t('remove', { name })
  return (
    <Frame
      chip={chip}
      words={words}
      failed={stage.kind === 'failed'}
      share={shareOf(stage)}
      busy={busy}
      onOpen={onOpen}
    >
      {stage.kind === 'failed' && <Again name={name} onClick={() => attempt(() => retryReading(document))} />}
      {file && isText(file) && !chip.sent && (
        <IconButton
          label={t('whole', { name })}
          icon={<ScrollText />}
          size="small"
          tooltipSide="top"
          onClick={() =>
            attempt(async () => {
              draft.convert(chip.key)
              if (!known) await (reading ? stopReading(document) : removeDocument(document))
            })
          }
        />
      )}
      <Away label={away} onClick={() => attempt(reading && !known ? stop : remove)} />
    </Frame>
  )
}

function wordsFor(document: Document, stage: Stage, allWhole: boolean, t: Translate, ofState: Translate): string {
  if (stage.kind === 'failed') return failureWords(document, ofState)
  if (stage.kind !== 'ready') return wordsOfStage(stage, ofState)
  // All documents of the chat go whole, or none: together they fit, or they do not.
  const count = document.tokens
  const tokens = { count, tokens: formatNumber(document.tokens, { notation: 'compact', maximumFractionDigits: 1 }) }
  return [formatSize(document.size), allWhole ? t('sentWhole', tokens) : t('passages')].join(factSeparator())
}

const shareOf = (stage: Stage): number | null =>
  stage.kind === 'embedding'
    ? stage.share
    : stage.kind === 'reading' && stage.total
      ? (stage.current ?? 0) / stage.total
      : null

function Frame({
  chip,
  words,
  failed,
  share,
  busy,
  onOpen,
  children,
}: {
  chip: DraftFile
  words: string
  failed: boolean
  share: number | null
  busy?: boolean
  onOpen?: () => void
  children: React.ReactNode
}) {
  const t = useText('chat-documents')
  const name = <bdi>{chip.name}</bdi>
  return (
    <li
      aria-busy={busy || undefined}
      className={classNames(
        'relative flex max-w-80 items-center gap-2 overflow-hidden rounded-lg border bg-sunken py-1 ps-2.5 pe-1',
        failed ? 'border-danger-ink/60' : 'border-line',
      )}
    >
      <FileSearch aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <span className="min-w-0 flex-1">
        {onOpen ? (
          <button
            type="button"
            aria-label={t('open', { name: chip.name })}
            className="block max-w-full truncate text-sm hover:underline"
            onClick={onOpen}
          >
            {name}
          </button>
        ) : (
          <span className="block truncate text-sm">{name}</span>
        )}
        <span
          title={failed ? words : undefined}
          className={classNames('text-xs', failed ? 'line-clamp-2 text-danger-ink' : 'block truncate text-muted')}
        >
          {words}
        </span>
      </span>
      {children}
      {share !== null && (
        <span
          role="progressbar"
          aria-label={chip.name}
          aria-valuetext={words}
          aria-valuenow={Math.round(share * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="absolute inset-x-0 bottom-0 h-0.5 bg-line"
        >
          <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </li>
  )
}

function Again({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useText('chat-documents')
  return (
    <IconButton label={t('retry', { name })} icon={<RotateCcw />} size="small" tooltipSide="top" onClick={onClick} />
  )
}

const Away = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton label={label} icon={<X />} size="small" tooltipSide="top" onClick={onClick} />
)

/** The document of a chip as the server has it now; a chip whose document is gone goes, too. */
function useLatest(chip: DraftFile, draft: DraftBox): Document | null {
  const sessionId = chip.document?.sessionId ?? null
  const found = useQuery({ ...chatDocumentsQuery(sessionId ?? ''), enabled: sessionId !== null })
  const latest = found.data?.items.find((document) => document.id === chip.document?.id)
  const gone = chip.document !== null && found.isFetchedAfterMount && !found.isFetching && !found.isError && !latest
  useEffect(() => {
    if (gone) draft.cancel(chip.key)
  }, [gone, draft, chip.key])
  return latest ?? chip.document
}

/** Whether the documents of a chat come to so little that they go whole. */
function useAllWhole({ sessionId, tokens }: Document, wholeTokens: number): boolean {
  const { data } = useQuery({ ...chatDocumentsQuery(sessionId ?? ''), enabled: sessionId !== null })
  const sum = data?.items.reduce((all, other) => (other.processingStatus === 'completed' ? all + other.tokens : all), 0)
  return Math.max(sum ?? 0, tokens) <= wholeTokens
}

/** Says that an answer waits for what is still being read. */
export function StillReading({ chips, writing }: { chips: readonly DraftFile[]; writing: boolean }) {
  const t = useText('chat-documents')
  const sessionId = chips.find((chip) => chip.document)?.document?.sessionId ?? ''
  const { data } = useQuery({ ...chatDocumentsQuery(sessionId), enabled: sessionId !== '' })
  const reading = chips.flatMap((chip) => {
    const latest = data?.items.find((document) => document.id === chip.document?.id) ?? chip.document
    const status = latest?.processingStatus
    return (status === 'queued' || status === 'processing') && (writing || chip.sent) ? [chip.name] : []
  })
  return (
    <p role="status" className={reading.length ? 'px-4 pt-2 text-sm text-muted' : 'sr-only'}>
      {reading.length > 0 && t('still', { names: formatList(reading.slice(0, 3)) })}
    </p>
  )
}
