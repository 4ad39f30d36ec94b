import { chatRoutes, type Message } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { modelName, useModels } from '../../../blocks/models.ts'
import { HoverCard } from '../../../ui/hover-card.tsx'
import { TagBadges } from '../tags/tag-links.tsx'
import { useText } from 'virtual:words/chat-list'

/** Two questions with their answers. */
const messagesShown = 4
/** More of a text is in no preview. */
const previewLength = 400

/** What was said last in a chat of the list. */
export function ChatPreview({
  chatId,
  ...card
}: {
  chatId: string
  anchor: HTMLElement
  onEnter: () => void
  onLeave: () => void
}) {
  const t = useText('chat-list')
  const models = useModels()
  const input = { params: { sessionId: chatId }, query: { limit: messagesShown } }
  const { data } = useQuery({ ...queryOf(chatRoutes.read, input), staleTime: 0, gcTime: 0 })
  const messages = data?.messages.items.filter(({ role, content }) => role !== 'summary' && content.trim() !== '') ?? []
  if (messages.length === 0) return null
  const whoSaid = ({ role, selection }: Message) =>
    role === 'user' ? t('preview.you') : modelName(models, selection) || t('preview.model')
  return (
    <HoverCard {...card} side="beside">
      {data && data.tags.length > 0 && <TagBadges names={data.tags} className="mb-1.5" />}
      {messages.map((message) => (
        <div key={message.id} className="not-first:mt-1">
          <p className="truncate text-xs font-medium text-muted">
            <bdi>{whoSaid(message)}</bdi>
          </p>
          <p dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
            {message.content.slice(0, previewLength)}
          </p>
        </div>
      ))}
    </HoverCard>
  )
}
