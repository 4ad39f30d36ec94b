import { accountsRoutes } from '@atrium/contract/accounts'
import { meQuery, useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { queryClient } from '../../../api/query.ts'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { useText } from 'virtual:words/settings'
import { AvatarRow } from './avatar-row.tsx'
import { EmailRow } from './email-row.tsx'

type Change = { username?: string; displayName?: string | null }

/** Name and address of the account. */
export function Profile() {
  const t = useText('settings')
  const me = useMe()
  const store = async (change: Change) => {
    queryClient.setQueryData(meQuery.queryKey, await call(accountsRoutes.updateMe, { body: change }))
  }
  return (
    <div>
      <AvatarRow />
      <TextRow
        id="displayName"
        label={t('profile.displayName')}
        help={t('profile.displayNameHelp')}
        value={me.displayName ?? ''}
        placeholder={me.username}
        maxLength={120}
        autoComplete="name"
        onSave={(text) => store({ displayName: text.trim() || null })}
      />
      <TextRow
        id="username"
        label={t('profile.username')}
        help={t('profile.usernameHelp')}
        value={me.username}
        maxLength={64}
        autoComplete="username"
        onSave={(text) => store({ username: text.trim() })}
      />
      <EmailRow />
    </div>
  )
}
