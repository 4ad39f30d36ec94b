import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/chat-compose'

/** Ways to begin; they fill the box and do not send. */
export function Starters({ onPick }: { onPick: (text: string) => void }) {
  const t = useText('chat-compose')
  return (
    <ul aria-label={t('new.starters')} className="grid gap-2 tab:grid-cols-2">
      {(['explain', 'draft', 'review', 'plan'] as const).map((starter) => (
        <li key={starter}>
          <Button
            tone="plain"
            className="h-auto! w-full justify-start! border-line! bg-surface! px-3.5! py-2.5! text-start font-normal whitespace-normal! hover:bg-hover!"
            onClick={() => onPick(t(`new.starter.${starter}.text`))}
          >
            <span>
              <span className="block font-medium">{t(`new.starter.${starter}.title`)}</span>
              <span className="block text-sm text-muted">{t(`new.starter.${starter}.hint`)}</span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
