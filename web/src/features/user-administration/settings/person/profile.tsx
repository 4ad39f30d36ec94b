import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useEffect, useState } from 'react'
import { useMe } from '../../../../api/account.ts'
import { call } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { SegmentedControl } from '../../../../ui/segmented-control.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { Group, Row, useSave } from '../../../../blocks/setting-row/row.tsx'
import { TextRow } from '../../../../blocks/setting-row/text-row.tsx'
import { managerName, nameOf } from '../../../../api/people.ts'
import { refreshPeople } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'

/** Name, address, role, and whether the person may sign in; each is saved by itself. */
export function PersonProfile({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const save = async (body: { username?: string; displayName?: string | null; email?: string | null }) => {
    await call(userAdministrationRoutes.update, { params: { id: user.id }, body })
    await refreshPeople()
  }
  return (
    <Group
      title={t('profile.title')}
      text={user.managedBy && t('profile.managed', { name: managerName(user.managedBy) })}
    >
      <TextRow
        id="displayName"
        label={t('profile.displayName')}
        value={user.displayName ?? ''}
        onSave={(text) => save({ displayName: text.trim() || null })}
        maxLength={120}
      />
      <TextRow
        id="username"
        label={t('profile.username')}
        value={user.username}
        onSave={(text) => save({ username: text.trim() })}
        maxLength={64}
      />
      <TextRow
        id="email"
        label={t('profile.email')}
        type="email"
        inputMode="email"
        value={user.email ?? ''}
        onSave={(text) => save({ email: text.trim() || null })}
        maxLength={254}
        ltr
      />
      <PictureRow user={user} />
      <RoleRow user={user} />
      <StatusRow user={user} />
    </Group>
  )
}

/** Only to take a picture away: everybody chooses their own. */
function PictureRow({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const { saving, save } = useSave()
  if (user.avatar === null) return null
  const remove = () =>
    save(async () => {
      await call(userAdministrationRoutes.update, { params: { id: user.id }, body: { avatar: null } })
      await refreshPeople()
    })
  return (
    <Row id="picture" label={t('profile.picture')} help={t('profile.pictureText')} saving={saving}>
      {() => (
        <Button disabled={saving.state === 'saving'} onClick={() => void remove()}>
          {t('profile.pictureRemove')}
        </Button>
      )}
    </Row>
  )
}

function RoleRow({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const { saving, save } = useSave()
  // On screen at once; back to what it was where the server refuses.
  const [shown, setShown] = useState(user.role)
  useEffect(() => setShown(user.role), [user.role])
  const set = async (role: ListedUser['role']) => {
    setShown(role)
    const saved = await save(async () => {
      await call(userAdministrationRoutes.update, { params: { id: user.id }, body: { role } })
      await refreshPeople()
    })
    if (!saved) setShown(user.role)
  }
  return (
    <Row id="role" label={t('profile.role')} help={t('profile.roleText')} saving={saving}>
      {() => (
        <SegmentedControl
          label={t('profile.role')}
          value={shown}
          onChange={(role) => void set(role)}
          disabled={saving.state === 'saving'}
          options={(['user', 'admin'] as const).map((value) => ({ value, label: t(`role.${value}`) }))}
        />
      )}
    </Row>
  )
}

function StatusRow({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const me = useMe()
  const { saving, save } = useSave()
  if (user.status === 'pending' || user.id === me.id) return null
  const set = (on: boolean) =>
    save(async () => {
      const body = { status: on ? ('active' as const) : ('disabled' as const) }
      await call(userAdministrationRoutes.setStatus, { params: { id: user.id }, body })
      await refreshPeople()
    })
  return (
    <Row id="status" label={t('profile.mayIn')} help={t('profile.mayInText')} saving={saving}>
      {() => (
        <Switch
          aria-label={t('profile.mayInNamed', { name: nameOf(user) })}
          checked={user.status === 'active'}
          disabled={saving.state === 'saving'}
          onChange={(on) => void set(on)}
        />
      )}
    </Row>
  )
}
