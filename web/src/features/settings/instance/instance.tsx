import { type InstanceSettings, settingsRoutes } from '@atrium/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryOf } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { SourceBadge } from '../../../blocks/setting-row/source-badge.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { useText } from 'virtual:words/settings'
import { DefaultTheme } from './default-theme.tsx'
import { UnreadableSettings } from './unreadable.tsx'

/** What holds for the whole server, and where each value comes from. */
export function Instance() {
  const settings = useQuery(queryOf(settingsRoutes.instance))
  return (
    <QueryView query={settings}>
      {(instance) => (
        <>
          <UnreadableSettings names={instance.unreadable} />
          <Signup setting={instance.signupEnabled} />
          <PublicLinks name="chatLinks" setting={instance.chatLinks} />
          <PublicLinks name="artifactLinks" setting={instance.artifactLinks} />
          <DefaultTheme setting={instance.defaultTheme} />
          <PrivateAddresses setting={instance.privateAddresses} />
        </>
      )}
    </QueryView>
  )
}

const store = (body: { signupEnabled?: boolean; chatLinks?: boolean; artifactLinks?: boolean }) =>
  saveInTurn(settingsRoutes.instance, () => call(settingsRoutes.updateInstance, { body }))

/** The list is sent whole, and made from what was saved last: quick clicks each count. */
const storeAddresses = (change: (addresses: readonly string[]) => string[], shown: readonly string[]) =>
  saveInTurn(settingsRoutes.instance, (latest) =>
    call(settingsRoutes.updateInstance, {
      body: { privateAddresses: change(latest?.privateAddresses.value ?? shown) },
    }),
  )

function Signup({ setting }: { setting: InstanceSettings['signupEnabled'] }) {
  const t = useText('settings')
  return (
    <SwitchRow
      id="signup"
      label={t('instance.signup')}
      help={t('instance.signupHelp')}
      source={<SourceBadge setting={setting} />}
      value={setting.value}
      disabled={setting.source === 'environment'}
      onSave={(signupEnabled) => store({ signupEnabled })}
    />
  )
}

function PublicLinks({
  name,
  setting,
}: {
  name: 'chatLinks' | 'artifactLinks'
  setting: InstanceSettings['chatLinks']
}) {
  const t = useText('settings')
  return (
    <SwitchRow
      id={name}
      label={t(`instance.${name}`)}
      help={t(`instance.${name}Help`)}
      source={<SourceBadge setting={setting} />}
      value={setting.value}
      disabled={setting.source === 'environment'}
      onSave={(allowed) => store({ [name]: allowed })}
    />
  )
}

function PrivateAddresses({ setting }: { setting: InstanceSettings['privateAddresses'] }) {
  const t = useText('settings')
  const { saving, save } = useSave()
  const [fresh, setFresh] = useState('')
  const locked = setting.source === 'environment'
  async function add(event: FormEvent) {
    event.preventDefault()
    const address = fresh.trim()
    if (!address || setting.value.includes(address)) return setFresh('')
    if (await save(() => storeAddresses((now) => [...new Set([...now, address])], setting.value))) setFresh('')
  }
  return (
    <Row
      id="privateAddresses"
      label={t('instance.privateAddresses')}
      help={t('instance.privateAddressesHelp')}
      source={<SourceBadge setting={setting} />}
      saving={saving}
      stacked
    >
      {(names) => (
        <>
          {setting.value.length > 0 && (
            <ul className="mb-2.5 flex flex-wrap gap-2">
              {setting.value.map((address) => (
                <li
                  key={address}
                  className="flex items-center gap-0.5 rounded-md border border-line bg-sunken ps-2.5 pe-0.5"
                >
                  <code className="text-sm">{address}</code>
                  <IconButton
                    label={t('instance.removeAddress', { address })}
                    icon={<X />}
                    size="small"
                    disabled={locked}
                    onClick={() =>
                      void save(() => storeAddresses((now) => now.filter((one) => one !== address), setting.value))
                    }
                  />
                </li>
              ))}
            </ul>
          )}
          {!locked && (
            <form onSubmit={(event) => void add(event)} className="flex gap-2">
              <Input
                {...names}
                dir="ltr"
                placeholder="192.168.1.20:8080"
                spellCheck={false}
                autoComplete="off"
                className="max-w-72"
                value={fresh}
                onChange={(event) => setFresh(event.target.value)}
              />
              <Button type="submit" icon={<Plus className="size-4" />} disabled={!fresh.trim()}>
                {t('instance.addAddress')}
              </Button>
            </form>
          )}
        </>
      )}
    </Row>
  )
}
