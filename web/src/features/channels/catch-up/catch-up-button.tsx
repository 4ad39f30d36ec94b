import { ListChecks } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/channels'
import { usePane } from '../page/use-place.ts'
import { useChannel } from '../timeline/context.ts'

/** Opens what was missed beside the channel. */
export function CatchUpButton() {
  const t = useText('channels')
  const { channel } = useChannel()
  const { show } = usePane(channel.id)
  return (
    <Button size="small" icon={<ListChecks className="size-3.5" />} onClick={() => show('catch-up')}>
      {t('timeline.catchUp')}
    </Button>
  )
}
