import { type PushDevice, pushRoutes } from '@atrium/contract/push'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh } from '../../../api/query.ts'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { pushState, subscriptionHere, turnOff, turnOn } from './this-browser.ts'
import { useText } from 'virtual:words/push'

/** The switch of this browser, and what stands in its way. */
export function Browser({ devices }: { devices: readonly PushDevice[] }) {
  const t = useText('push')
  const [state, setState] = useState(pushState)
  const isKnown = devices.some(({ current }) => current)
  const here = useQuery({
    queryKey: ['push-subscription-here', isKnown],
    queryFn: async () => Boolean(await subscriptionHere()),
  })
  async function save(on: boolean) {
    await (on ? turnOn() : turnOff())
    setState(pushState())
    await Promise.all([refresh(pushRoutes.devices), here.refetch()])
  }
  return (
    <SwitchRow
      id="browser"
      label={t('entry.browser')}
      help={t(`state.${state}`)}
      value={state === 'ready' && isKnown && here.data === true}
      disabled={state !== 'ready' || here.isPending}
      onSave={save}
    />
  )
}
