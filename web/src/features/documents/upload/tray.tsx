import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { isWorthRetrying, remainingWords } from '../../../blocks/document-state/state.tsx'
import { useText as useStateText } from 'virtual:words/document-state'
import { factSeparator, formatList as listWords, formatNumber, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { retryDocuments } from '../data/changes.ts'
import { useJobs } from '../data/jobs.ts'
import { useText } from 'virtual:words/documents'
import { markTrayShown } from './follow.ts'
import {
  changeUpload,
  clearQueue,
  isUnderWay,
  pauseQueue,
  retryUpload,
  sentBytes,
  stopUploads,
  type Upload,
  useQueue,
} from './queue.ts'
import { UploadRow } from './tray-row.tsx'

const mostRows = 60

/** What is being uploaded and read, with its totals. */
export function UploadTray() {
  const queue = useQueue()
  const any = queue.items.length > 0 || queue.leftOut > 0 || queue.unreadable.length > 0
  useEffect(() => (any ? markTrayShown() : undefined), [any])
  return any ? <Tray /> : null
}

function Tray() {
  const t = useText('documents')
  const ofState = useStateText('document-state')
  const { items, paused, leftOut, unreadable, since } = useQueue()
  const [open, setOpen] = useState(true)
  const busy = items.some(isUnderWay)
  const reading = items.filter(({ state }) => state === 'reading').length
  const jobs = useJobs(open && reading > 0)
  const failed = items.filter(({ state }) => state === 'failed')
  const refused = items.filter(({ state }) => state === 'refused')
  const known = items.filter(({ state }) => state === 'known').length
  const counted = items.filter(({ state }) => state !== 'refused')
  const uploaded = counted.filter((item) => !isUnderWay(item) && !(item.state === 'failed' && !item.document)).length
  const all = counted.reduce((sum, { file }) => sum + file.size, 0)
  const sent = sentBytes(items)
  const left = since && !paused ? leftOf(since, sent, all) : null
  const rows = useMemo(() => [...items].sort((a, b) => order[a.state] - order[b.state]).slice(0, mostRows), [items])

  const ready = items.filter(({ state }) => state === 'done').length
  const retryable = failed.filter(canRetry)
  const retryFailed = () => {
    for (const item of retryable) again(item)
  }
  const title = busy
    ? t('upload.running', { count: counted.length, done: formatNumber(uploaded) })
    : reading > 0
      ? t('upload.reading', { count: reading })
      : t('upload.ended')
  const more = [
    busy && `${formatSize(sent)} / ${formatSize(all)}`,
    paused && t('upload.paused'),
    left !== null && remainingWords(left, ofState),
    ready > 0 && !busy && t('upload.ready', { count: ready }),
    known > 0 && t('upload.known', { count: known }),
    failed.length > 0 && t('upload.failed', { count: failed.length }),
    refused.length > 0 && t('upload.refused', { count: refused.length }),
  ].filter(Boolean)
  return (
    <section
      aria-label={t('upload.tray')}
      className="anim-rise absolute end-4 bottom-4 z-20 flex max-h-[min(28rem,70%)] w-104 flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high max-tab:inset-x-2 max-tab:bottom-2 max-tab:w-auto"
    >
      <header className="flex items-center gap-1 ps-3.5 pe-1.5 pt-2 pb-1.5">
        <div className="min-w-0 flex-1" role="status">
          <p className="truncate font-medium">{title}</p>
          <p className="text-sm text-muted tabular-nums">{more.join(factSeparator())}</p>
        </div>
        {busy && (
          <IconButton
            label={paused ? t('upload.resume') : t('upload.pause')}
            icon={paused ? <Play /> : <Pause />}
            size="small"
            onClick={() => pauseQueue(!paused)}
          />
        )}
        <IconButton
          label={open ? t('upload.fold') : t('upload.unfold')}
          icon={open ? <ChevronDown /> : <ChevronUp />}
          size="small"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        {!busy && <IconButton label={t('upload.clear')} icon={<X />} size="small" onClick={clearQueue} />}
      </header>
      {busy && <Progress label={t('upload.all')} share={all > 0 ? sent / all : 0} className="mx-3.5 mb-2" />}
      {open && (
        <>
          {(retryable.length > 0 || busy) && (
            <div className="flex flex-wrap gap-2 px-3.5 pb-2">
              {retryable.length > 0 && (
                <Button size="small" onClick={retryFailed}>
                  {t('upload.retryFailed', { count: retryable.length })}
                </Button>
              )}
              {busy && (
                <Button size="small" tone="quiet" onClick={stopUploads}>
                  {t('upload.stopAll')}
                </Button>
              )}
            </div>
          )}
          {(leftOut > 0 || unreadable.length > 0) && (
            <p className="border-t border-line px-3.5 py-2 text-sm text-muted">
              {leftOut > 0 && t('upload.leftOut', { count: leftOut })}{' '}
              {unreadable.length > 0 && t('upload.unreadable', { names: listWords(unreadable.slice(0, 5)) })}
            </p>
          )}
          <ul className="min-h-0 flex-1 divide-y divide-line overflow-y-auto border-t border-line">
            {rows.map((item) => (
              <UploadRow
                key={item.key}
                item={item}
                job={jobs.get(item.document?.jobId ?? '')}
                onRetry={canRetry(item) ? () => again(item) : null}
              />
            ))}
            {items.length > rows.length && (
              <li className="px-3.5 py-2 text-sm text-muted">
                {t('upload.more', { count: items.length - rows.length })}
              </li>
            )}
          </ul>
        </>
      )}
    </section>
  )
}

const canRetry = ({ document }: Upload): boolean => document === null || isWorthRetrying(document)

/** Sends a file again, or has the server read again what it has already. */
function again(item: Upload): void {
  if (!item.document) return retryUpload(item.key)
  const { key, document } = item
  // Once the server has begun: before, it would still be seen as failed.
  void retryDocuments([document]).then(() => changeUpload(key, { state: 'reading', error: null }))
}

function leftOf(since: { at: number; bytes: number }, sent: number, all: number): number | null {
  const passed = Date.now() - since.at
  const moved = sent - since.bytes
  return passed < 1500 || moved <= 0 ? null : (passed / moved) * (all - sent)
}

/** What needs a look comes first. */
const order: Record<Upload['state'], number> = {
  failed: 0,
  refused: 1,
  sending: 2,
  retrying: 3,
  reading: 4,
  waiting: 5,
  known: 6,
  done: 7,
}
