import { chatRoutes, type Message } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { modelName } from '../../../blocks/models.ts'
import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { showSibling } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

/** All versions of a message side by side, below one another on phones; one of them can be made the one that counts. */
export function VersionsDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useText('chat')
  const { chat, attempt, pickModelFor } = useThread()
  const params = { sessionId: chat.id, messageId: message.id }
  const versions = useQuery({ ...queryOf(chatRoutes.branches, { params }), staleTime: 0, gcTime: 0 })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('siblings.compare')}
      width="full"
      className="tab:max-w-[min(96vw,90rem)]"
      footer={
        message.role === 'assistant' && (
          <Button
            onClick={() => {
              onClose()
              pickModelFor(message)
            }}
          >
            {t('siblings.another')}
          </Button>
        )
      }
    >
      {versions.isPending && <Skeleton lines={6} />}
      {versions.isError && (
        <ErrorCard title={t('siblings.failed')} onRetry={() => void versions.refetch()}>
          {wordsOf(versions.error)}
        </ErrorCard>
      )}
      {versions.data && (
        <ol
          tabIndex={0}
          aria-label={t('siblings.label')}
          className="flex flex-col gap-3 tab:grid tab:auto-cols-[minmax(19rem,1fr)] tab:grid-flow-col tab:overflow-x-auto"
        >
          {versions.data.items.map((version) => (
            <Version
              key={version.id}
              version={version}
              shown={version.id === message.id}
              onShow={() => {
                onClose()
                attempt(() => showSibling(chat, message, version.siblingIndex))
              }}
            />
          ))}
        </ol>
      )}
    </Dialog>
  )
}

function Version({ version, shown, onShow }: { version: Message; shown: boolean; onShow: () => void }) {
  const t = useText('chat')
  const { models } = useThread()
  const { siblingIndex, siblingCount, selection, createdAt, content, branchName } = version
  const place = t('siblings.place', { index: siblingIndex + 1, count: siblingCount })
  return (
    <li className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <header className="flex min-h-11 items-center gap-2 border-b border-line px-3 py-1.5">
        <h3 className="min-w-0 flex-1 text-sm">
          <span className="block truncate font-medium">
            <bdi>{branchName ?? (modelName(models, selection) || place)}</bdi>
          </span>
          <span className="block text-xs text-muted">
            {(selection || branchName) && `${place} · `}
            {selection && branchName && (
              <>
                <bdi>{modelName(models, selection)}</bdi>
                {' · '}
              </>
            )}
            <time dateTime={createdAt} title={formatDateTime(createdAt)}>
              {formatTime(createdAt)}
            </time>
          </span>
        </h3>
        {shown ? (
          <Badge tone="accent">{t('siblings.shown')}</Badge>
        ) : (
          <Button size="small" aria-label={t('siblings.show', { place })} onClick={onShow}>
            {t('siblings.use')}
          </Button>
        )}
      </header>
      <div className="min-w-0 flex-1 p-3">
        {version.role === 'assistant' ? (
          <Markdown text={content} />
        ) : (
          <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
            {content}
          </p>
        )}
      </div>
    </li>
  )
}
