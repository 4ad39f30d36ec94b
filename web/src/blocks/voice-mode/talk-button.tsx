import { AudioLines } from 'lucide-react'
import { useAction } from '../../lib/actions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useText } from 'virtual:words/blocks'
import { useVoiceAccess } from '../voice-access.ts'
import { startTalk, type TalkingChat } from './state.ts'

/** Talks with the chat; nothing where the person may not. `blocked`: why nothing can be asked just now. */
export function TalkButton({ chat, blocked }: { chat: () => TalkingChat; blocked: string | null }) {
  const t = useText('blocks')
  const may = useVoiceAccess('voice-mode')
  const start = () => {
    if (blocked === null) startTalk(chat())
  }
  useAction('chat.talk', start, may && blocked === null)
  if (!may) return null
  return (
    <IconButton
      label={blocked ?? t('composer.talk')}
      icon={<AudioLines />}
      tooltipSide="top"
      aria-disabled={blocked !== null || undefined}
      className="aria-disabled:opacity-45"
      onClick={start}
    />
  )
}
