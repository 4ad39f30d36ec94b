import type { Message } from '@atrium/contract/chat'
import type { Source } from '@atrium/contract/generation'
import { Globe, Info, Quote } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { ReadAloudButton } from '../../../blocks/read-aloud/button.tsx'
import { factSeparator, formatNumber } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { claimsOf } from '../sources/claim.ts'
import { Passage } from '../sources/passage.tsx'
import { placeOf } from '../sources/place.ts'
import { SourceLink } from '../sources/source-link.tsx'
import { WholeNextTime } from '../sources/whole-next-time.tsx'
import { useThread } from '../thread/context.ts'
import { noteWords, retrievalSentences } from '../sources/retrieval-sentences.ts'
import { useText } from 'virtual:words/chat-sources'
import { useSourceGone } from '../sources/use-source-gone.ts'

/** What an answer was made from: how it was looked for, the passages it cites, and those it was given besides. */
export function SourcesTab({ message }: { message: Message | undefined }) {
  const t = useText('chat-sources')
  const { ownerName } = useThread()
  if (!message) {
    return (
      <EmptyState icon={<Quote />} title={t('empty')}>
        {t('emptyHint')}
      </EmptyState>
    )
  }
  const { sources, retrieval } = message
  const query = retrieval?.query ?? ''
  // Answers from before it was kept say nothing about what they cite.
  const cited = sources.filter((source) => source.cited !== false)
  const rest = sources.filter((source) => source.cited === false)
  const nearest = retrieval?.nothingMatched ? retrieval.nearest : []
  return (
    <div className="flex flex-col gap-5" onKeyDown={moveByKeys}>
      {retrieval && (
        <div className="flex flex-col gap-2 text-sm">
          {retrievalSentences(retrieval, t).map((sentence) => (
            <p key={sentence} dir="auto" className="break-words">
              {sentence}
            </p>
          ))}
          {retrieval.notes.length > 0 && (
            <ul className="flex flex-col gap-1.5 rounded-lg border border-line bg-sunken px-3 py-2">
              {retrieval.notes.map((note) => (
                <li key={note.code} className="flex gap-2">
                  <Info aria-hidden className="mt-0.5 size-3.5 shrink-0 text-muted" />
                  <span>{noteWords(note, t)}</span>
                </li>
              ))}
            </ul>
          )}
          {retrieval.nothingMatched && retrieval.asked && <p className="font-medium">{t('none.text')}</p>}
        </div>
      )}
      {ownerName === null && sources.some(({ documentId }) => documentId) && <WholeNextTime />}
      <Group title={t('cited')} sources={cited} query={query} content={message.content} />
      <Group title={t('notCited')} sources={rest} query={query} />
      <Group title={t('nearest')} sources={nearest} query={query} />
    </div>
  )
}

function Group({
  title,
  sources,
  query,
  content = '',
}: {
  title: string
  sources: readonly Source[]
  query: string
  /** Of the answer that cites them. */
  content?: string
}) {
  if (sources.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-2 text-sm font-semibold">
        {title} <span className="font-normal text-muted tabular-nums">{formatNumber(sources.length)}</span>
      </h3>
      <ol className="flex flex-col gap-3">
        {sources.map((source, index) => (
          <Entry key={index} source={source} query={query} content={content} />
        ))}
      </ol>
    </section>
  )
}

function Entry({ source, query, content }: { source: Source; query: string; content: string }) {
  const t = useText('chat-sources')
  const gone = useSourceGone(source.documentId, true)
  const id = useId()
  const facts = [
    placeOf(source),
    source.chunkIndex !== undefined && t('passage', { number: formatNumber(source.chunkIndex + 1) }),
    source.foundBy && t(`foundShort.${source.foundBy}`),
    source.foundBy !== 'whole' &&
      source.foundBy !== 'beginning' &&
      t('score', { score: formatNumber(source.score, { maximumFractionDigits: 2 }) }),
    source.readBy && t('readByBuiltin'),
  ].filter((fact) => typeof fact === 'string')
  const name = (
    <>
      {source.kind === 'web' && <Globe aria-hidden className="me-1 inline size-3.5 align-[-2px] text-muted" />}
      <bdi>{source.name}</bdi>
    </>
  )
  return (
    <li className="rounded-lg border border-line bg-raised p-3">
      <p className="flex items-baseline gap-2">
        {source.number !== undefined && (
          <span className="font-semibold text-accent-ink tabular-nums">{formatNumber(source.number)}</span>
        )}
        {gone ? (
          <span className="min-w-0 flex-1 truncate font-medium text-muted">{name}</span>
        ) : (
          <SourceLink
            data-source
            source={source}
            claimOf={() => claimsOf(content, source.number)}
            className="min-w-0 flex-1 truncate font-medium hover:underline"
          >
            {name}
          </SourceLink>
        )}
        <ReadAloudButton id={`source ${id}`} title={source.name} find={() => source.passage} />
      </p>
      <p className="mt-0.5 text-sm text-muted">
        {gone && <span className="font-medium text-ink">{t('gone')} · </span>}
        <bdi>{facts.join(factSeparator())}</bdi>
      </p>
      <blockquote
        dir="auto"
        className="mt-2 max-h-64 overflow-y-auto border-s-2 border-line ps-3 text-base break-words whitespace-pre-wrap"
      >
        <Passage text={source.passage} query={query} />
      </blockquote>
    </li>
  )
}

/** Up and down go from source to source. */
function moveByKeys(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-source]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
