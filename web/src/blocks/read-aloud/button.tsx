import { Square, Volume2 } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/read-aloud'
import { useVoiceAccess } from '../voice-access.ts'
import { startReading, stopReading } from './start.ts'
import { useIsReading } from './state.ts'

export interface ReadAloudProps {
  /** Names what is read, for as long as it is. */
  id: string
  title: string
  /** Where it stands on the page, or its text; looked for when it is wanted. */
  find: () => Element | string | null
}

/** Begins and ends reading; nothing where the person may not. */
export function ReadAloudButton({ id, title, find }: ReadAloudProps) {
  const t = useText('read-aloud')
  const isReading = useIsReading(id)
  if (!useVoiceAccess('tts')) return null
  return (
    <IconButton
      label={isReading ? t('stop') : t('read')}
      icon={isReading ? <Square /> : <Volume2 />}
      size="small"
      pressed={isReading}
      onClick={() => (isReading ? stopReading() : startReading(id, title, find()))}
    />
  )
}

/** The same in a menu. */
export function ReadAloudItem({ id, title, find }: ReadAloudProps) {
  const t = useText('read-aloud')
  const isReading = useIsReading(id)
  if (!useVoiceAccess('tts')) return null
  return (
    <MenuItem
      icon={isReading ? <Square /> : <Volume2 />}
      onSelect={() => (isReading ? stopReading() : startReading(id, title, find()))}
    >
      {isReading ? t('stop') : t('read')}
    </MenuItem>
  )
}
