import { Destinations } from './destinations.tsx'
import { useText } from 'virtual:words/recovery-backup'

/** Backups of the instance. */
export function Backups() {
  const t = useText('recovery-backup')
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <Destinations />
    </>
  )
}
