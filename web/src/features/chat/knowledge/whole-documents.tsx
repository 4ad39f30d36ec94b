import { chatRoutes } from '@atrium/contract/chat'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { useQueries, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { Conversation } from '../open/conversation.ts'
import { SwitchRow } from './switch-row.tsx'
import { useText } from 'virtual:words/chat-knowledge'
import { tokensOf, wholeLimit } from './whole.ts'

/** Whether the whole text of all documents in reach is sent, and what that would come to. */
export function WholeDocuments({
  documents,
  alsoIn,
  conversation,
  onChange,
}: {
  /** Those of the chat. */
  documents: readonly Document[]
  /** Collections that count besides those of the chat. */
  alsoIn: readonly string[]
  conversation: Conversation
  onChange: (on: boolean) => void
}) {
  const t = useText('chat-knowledge')
  const { settings } = conversation.head
  const whole = settings.fullDocumentContext === true
  const elsewhere = [
    ...(settings.useLibrary === false ? [] : [{ in: 'library' as const, limit: 200 }]),
    ...[...new Set([...(settings.knowledgeCollectionIds ?? []), ...alsoIn])].map((collectionId) => ({
      collectionId,
      limit: 200,
    })),
  ]
  const lists = useQueries({ queries: elsewhere.map((query) => queryOf(documentsRoutes.list, { query })) })
  const policy = useQuery(queryOf(chatRoutes.contextPolicy))
  const known = policy.isSuccess && lists.every((list) => list.isSuccess)
  const more = lists.some((list) => list.data?.nextCursor)
  const limit = wholeLimit(policy.data?.fullDocumentTokens ?? 0, conversation.messages)
  const all = [...documents, ...lists.flatMap((list) => list.data?.items ?? [])]
  const tokens = tokensOf(all)
  const fits = tokens <= limit && !more
  const share = tokens > limit ? 1 : tokens / limit
  const values = {
    tokens: formatNumber(tokens),
    limit: formatNumber(limit),
    share: formatNumber(share, { style: 'percent' }),
  }
  return (
    <SwitchRow
      label={t('whole.label')}
      checked={whole}
      onChange={onChange}
      hint={
        <>
          <p>{t('whole.hint')}</p>
          {known && tokens > 0 && (
            <>
              <p className={classNames('mt-1', whole && !fits && 'text-warn-ink')}>
                {t(more ? 'whole.atLeast' : 'whole.tokens', values)}{' '}
                {t(!whole ? (fits ? 'whole.would' : 'whole.wouldNot') : fits ? 'whole.will' : 'whole.tooMuch')}
              </p>
              <div aria-hidden className="mt-1.5 h-1 overflow-hidden rounded-full bg-line">
                <div
                  className={classNames('h-full', fits ? 'bg-accent' : 'bg-warn-ink')}
                  style={{ width: `${share * 100}%` }}
                />
              </div>
            </>
          )}
        </>
      }
    />
  )
}
