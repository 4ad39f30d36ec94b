import { chatRoutes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { MessageCircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { queryOf } from '../../../api/query.ts'
import { useAction } from '../../../lib/actions.ts'
import { formatSpan } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/chat-temporary'

/** Whether the chat that begins here is a temporary one. */
export function TemporarySwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const t = useText('chat-temporary')
  useAction('chat.temporary', () => onChange(!on))
  return (
    <IconButton
      label={t('switch')}
      keys="Mod+Shift+'"
      icon={<MessageCircleDashed />}
      pressed={on}
      onClick={() => onChange(!on)}
    />
  )
}

/** What it means that the chat which begins here is temporary. */
export function TemporaryNotice() {
  const t = useText('chat-temporary')
  const policy = useQuery(queryOf(chatRoutes.contextPolicy)).data
  return <Notice>{policy && t('begin', { after: formatSpan(policy.temporaryChatHours * 3600_000) })}</Notice>
}

/** The line that stands over the box of a temporary chat; `actions` are its buttons. */
export function Notice({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  const t = useText('chat-temporary')
  return (
    <section
      aria-label={t('switch')}
      className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-dashed border-line-strong bg-sunken px-3.5 py-2.5 text-sm text-muted"
    >
      <MessageCircleDashed aria-hidden className="size-4 shrink-0 self-start max-tab:hidden tab:mt-0.5" />
      <p className="min-w-52 flex-1">
        <span className="font-medium text-ink">{t('title')}</span> {children}
      </p>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </section>
  )
}
