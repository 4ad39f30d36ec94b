import { type Document, type DocumentHit, documentsRoutes } from '@atrium/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { factSeparator, formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/documents-settings'

const figure = (value: number | null) => (value === null ? '–' : formatNumber(value, { maximumFractionDigits: 3 }))

/**
 * Asks the own documents, or one of them, and shows what answers would get, with the figures that decided. `onOpen`: a
 * passage was followed.
 */
export function Tester({ document, onOpen }: { document?: Pick<Document, 'id' | 'sessionId'>; onOpen?: () => void }) {
  const t = useText('documents-settings')
  const [question, setQuestion] = useState('')
  const scope = document && { documentIds: [document.id], sessionId: document.sessionId ?? undefined }
  const search = useMutation({
    mutationFn: (query: string) => call(documentsRoutes.search, { body: { query, limit: 10, ...scope } }),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (question.trim()) search.mutate(question.trim())
  }
  const found = search.data
  return (
    <div id="retrievalTester" className="-mx-3 rounded-lg px-3 py-3">
      <form onSubmit={submit} className="flex gap-2">
        <Input
          type="search"
          icon={<Search />}
          aria-label={t('tester.question')}
          placeholder={t('tester.question')}
          dir="auto"
          maxLength={2000}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <Button type="submit" tone="primary" busy={search.isPending} disabled={!question.trim()}>
          {t('tester.ask')}
        </Button>
      </form>
      {search.isError && (
        <ErrorCard className="mt-3" title={t('tester.wrong')} details={detailsOf(search.error)}>
          {wordsOf(search.error)}
        </ErrorCard>
      )}
      {found && (
        <div className="mt-3" aria-live="polite">
          <p className="text-sm text-muted">
            {[
              t(`tester.mode.${found.retrieval.mode}`),
              t('tester.in', { count: found.retrieval.documents }),
              found.retrieval.query !== search.variables && t('tester.reworded', { query: found.retrieval.query }),
            ]
              .filter(Boolean)
              .join(factSeparator())}
          </p>
          {found.items.length === 0 ? (
            <>
              <p className="mt-2">{t('tester.nothing')}</p>
              {found.retrieval.nearest.length > 0 && (
                <>
                  <p className="mt-2 text-sm text-muted">{t('tester.nearest')}</p>
                  <ul className="mt-1 text-sm">
                    {found.retrieval.nearest.map((source) => (
                      <li key={`${source.documentId} ${source.chunkIndex}`}>
                        <bdi>{source.name}</bdi> · {figure(source.score)}
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </>
          ) : (
            <ol className="mt-2 flex flex-col gap-2">
              {found.items.map((hit) => (
                <Hit key={`${hit.documentId} ${hit.chunkIndex}`} hit={hit} onOpen={onOpen} />
              ))}
            </ol>
          )}
        </div>
      )}
    </div>
  )
}

function Hit({ hit, onOpen }: { hit: DocumentHit; onOpen: (() => void) | undefined }) {
  const t = useText('documents-settings')
  const placeOf = ({ kind, number, label }: NonNullable<DocumentHit['location']>) =>
    number && (kind === 'page' || kind === 'slide')
      ? t(`tester.place.${kind}`, { number: formatNumber(number) })
      : label
  const passage = {
    from: hit.startChar,
    to: hit.endChar,
    ...(hit.location?.number ? { page: hit.location.number } : {}),
  }
  return (
    <li className="rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={links.document(hit.documentId, passage)}
          onClick={onOpen}
          className="min-w-0 truncate font-medium hover:underline"
        >
          <bdi>{hit.filename}</bdi>
          {hit.location && <span className="font-normal text-muted"> · {placeOf(hit.location)}</span>}
        </Link>
        <Badge tone={hit.foundBy === 'both' ? 'accent' : 'plain'}>{t(`tester.by.${hit.foundBy}`)}</Badge>
      </div>
      <p dir="auto" className="mt-1 line-clamp-4 text-sm whitespace-pre-line text-ink/90">
        {hit.content}
      </p>
      <dl className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted">
        {(
          [
            ['words', hit.lexical],
            ['meaning', hit.similarity],
            ['merged', hit.score],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="flex gap-1">
            <dt>{t(`tester.score.${name}`)}</dt>
            <dd className="tabular-nums">{figure(value)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
