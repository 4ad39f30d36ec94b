import { useState } from 'react'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/notifications-settings'
import { type GivenPreferences, ownZone, savePreferences } from './store.ts'

/** At what time of the day the digest is sent. */
export function DigestTime({ preferences: { digestAt, ...preferences } }: { preferences: GivenPreferences }) {
  const t = useText('notifications-settings')
  const { saving, save } = useSave()
  const [typed, setTyped] = useState(digestAt)
  const commit = () => {
    if (typed === '' || typed === digestAt) return
    void save(() => savePreferences({ digestAt: typed, ...ownZone(preferences) }))
  }
  return (
    <Row id="digest" label={t('entry.digest')} help={t('digestText')} saving={saving}>
      {(names) => (
        <Input
          {...names}
          type="time"
          className="w-32"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={commit}
        />
      )}
    </Row>
  )
}
