import type { Chat } from '@atrium/contract/chat'
import { Link } from '@tanstack/react-router'
import { GitFork } from 'lucide-react'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/chat'

/** Where this chat was copied from. */
export function ForkedFrom({ from }: { from: Chat['forkedFrom'] }) {
  const t = useText('chat')
  if (!from) return null
  return (
    <p className="flex max-w-full items-center gap-1.5 px-4">
      <GitFork aria-hidden className="size-3.5 shrink-0" />
      <span className="shrink-0">{t('thread.forkedFrom')}</span>
      <Link
        to={links.chat(from.chatId, from.messageId ?? undefined)}
        className="truncate text-accent-ink underline underline-offset-2"
      >
        <bdi>{from.title}</bdi>
      </Link>
    </p>
  )
}
