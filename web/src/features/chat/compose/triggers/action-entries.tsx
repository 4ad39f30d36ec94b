import { useNavigate } from '@tanstack/react-router'
import { Slash } from 'lucide-react'
import { useMemo } from 'react'
import type { TriggerSourceProps } from '../../../../blocks/composer/triggers/types.ts'
import { useMe } from '../../../../api/account.ts'
import { canRun, listActions, runAction } from '../../../../lib/actions.ts'
import { draftOfChat } from '../../open/draft-chat.ts'
import { useThread } from '../../thread/context.ts'
import { usePromptEntries } from '../server-content/prompt-entries.tsx'
import { useText } from 'virtual:words/chat-compose'

/** What can be done just now, as every area offers it under a word of its own, and the prompts of tool servers. */
export function ActionEntries({ show }: TriggerSourceProps) {
  const t = useText('chat-compose')
  const me = useMe()
  const { chat, attempt } = useThread()
  const navigate = useNavigate()
  const prompts = usePromptEntries(draftOfChat(me.id, chat), attempt)
  const actions = useMemo(
    () =>
      listActions().flatMap(({ id, name, command, icon, words }) =>
        command && canRun(id)
          ? [
              {
                id,
                name: t(name),
                icon: icon ?? Slash,
                hint: `/${command}`,
                words: [command, words && t(words)].filter(Boolean).join(' '),
                choose: () => void runAction(id, (to, state) => void navigate({ to, state })),
              },
            ]
          : [],
      ),
    [t, navigate],
  )
  const entries = useMemo(() => [...actions, ...prompts], [actions, prompts])
  return show(entries)
}
