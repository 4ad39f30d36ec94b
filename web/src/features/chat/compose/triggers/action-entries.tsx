import { useNavigate } from '@tanstack/react-router'
import { Slash } from 'lucide-react'
import { useMemo } from 'react'
import type { TriggerSourceProps } from '../../../../blocks/composer/triggers/types.ts'
import { canRun, listActions, runAction } from '../../../../lib/actions.ts'
import { useText } from 'virtual:words/chat-compose'

/** What can be done just now, as every area offers it under a word of its own. */
export function ActionEntries({ show }: TriggerSourceProps) {
  const t = useText('chat-compose')
  const navigate = useNavigate()
  const entries = useMemo(
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
  return show(entries)
}
