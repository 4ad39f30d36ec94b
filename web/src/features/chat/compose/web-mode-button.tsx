import { Globe, GlobeLock } from 'lucide-react'
import { useAction } from '../../../lib/actions.ts'
import { announce } from '../../../lib/announce.ts'
import { classNames } from '../../../lib/class-names.ts'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { translate, useText } from 'virtual:words/chat'
import { setWebMode, useWebMode, type WebMode } from './web-mode.ts'

const after = { off: 'next', next: 'on', on: 'off' } as const satisfies Record<WebMode, WebMode>

/** The globe: off, on for the next message, on for this chat. */
export function WebModeButton({ chatId }: { chatId: string }) {
  const t = useText('chat')
  const mode = useWebMode(chatId)
  const label = t(`web.${mode}`)
  const turn = () => {
    setWebMode(chatId, after[mode])
    announce(translate(`chat:web.${after[mode]}`))
  }
  useAction('chat.web', turn)
  return (
    <Tooltip text={label} side="top">
      <button
        type="button"
        aria-label={label}
        aria-pressed={mode !== 'off'}
        onClick={turn}
        className={classNames(
          'hit flex h-control items-center gap-1.5 rounded-md px-2 text-sm',
          mode === 'off' ? 'text-muted hover:bg-hover hover:text-ink' : 'bg-accent-soft text-accent-ink',
        )}
      >
        {mode === 'on' ? <GlobeLock aria-hidden className="size-4" /> : <Globe aria-hidden className="size-4" />}
        {mode !== 'off' && <span className="max-tab:sr-only">{t(`web.word.${mode}`)}</span>}
      </button>
    </Tooltip>
  )
}
