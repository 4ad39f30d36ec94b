import { Clock } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { laterTimes } from '../../../lib/later-times.ts'
import { MenuItem } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/channels-later'

const words = { hour: 'inHour', evening: 'evening', tomorrow: 'tomorrow', week: 'week' } as const

/** Times that people mean, and the way to any other, as the content of a menu. */
export function TimeItems({ onTime, onChoose }: { onTime: (time: Date) => void; onChoose: () => void }) {
  const t = useText('channels-later')
  return (
    <>
      {laterTimes(new Date()).map(([name, time]) => (
        <MenuItem key={name} onSelect={() => onTime(time)}>
          {t(words[name], { when: formatTime(time.getTime()) })}
        </MenuItem>
      ))}
      <MenuItem icon={<Clock />} onSelect={onChoose}>
        {t('choose')}
      </MenuItem>
    </>
  )
}
