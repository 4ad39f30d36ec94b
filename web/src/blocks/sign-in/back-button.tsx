import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/sign-in'

/** Out of a second step, to the first one. */
export function BackButton({ onBack }: { onBack: () => void }) {
  const t = useText('sign-in')
  return (
    <Button tone="quiet" size="small" className="-ms-2.5 self-start" onClick={onBack}>
      {t('back')}
    </Button>
  )
}
