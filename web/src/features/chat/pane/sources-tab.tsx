import type { Message } from '@atrium/contract/chat'
import { Quote } from 'lucide-react'
import { attachmentUrl } from '../../../blocks/attachment-url.ts'
import { number } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from '../texts.ts'

/** The passages that an answer was made from, best first. */
export function SourcesTab({ message }: { message: Message | undefined }) {
  const t = useText('chat')
  if (!message) {
    return (
      <EmptyState icon={<Quote />} title={t('sources.none')}>
        {t('sources.noneHint')}
      </EmptyState>
    )
  }
  return (
    <ol className="flex flex-col gap-3">
      {message.sources.map((source, index) => (
        <li key={index} className="rounded-lg border border-line bg-raised p-3">
          <p className="flex items-baseline gap-2">
            <span className="font-semibold text-accent-ink tabular-nums">{number(index + 1)}</span>
            <a
              href={attachmentUrl(source.attachmentId)}
              target="_blank"
              rel="noreferrer"
              className="min-w-0 flex-1 truncate font-medium hover:underline"
            >
              <bdi>{source.name}</bdi>
            </a>
            <span className="text-xs text-muted tabular-nums">
              {t('sources.score', { score: number(source.score, { maximumFractionDigits: 2 }) })}
            </span>
          </p>
          {source.section && (
            <p className="mt-0.5 text-sm text-muted">
              <bdi>{source.section}</bdi>
            </p>
          )}
          <blockquote dir="auto" className="mt-2 border-s-2 border-line ps-3 text-base whitespace-pre-wrap">
            {source.passage}
          </blockquote>
        </li>
      ))}
    </ol>
  )
}
