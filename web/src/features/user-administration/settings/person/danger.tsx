import { accountDataRoutes } from '@atrium/contract/account-data'
import type { ListedUser } from '@atrium/contract/user-administration'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../../api/client.ts'
import { formatDay } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { usePeopleAction } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'
import { RemovalDialog } from './removal.tsx'

/** The end of the account. */
export function Danger({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const [asking, setAsking] = useState(false)
  const keep = usePeopleAction(
    () => call(accountDataRoutes.callOff, { params: { id: user.id } }),
    () => toast(t('removal.kept')),
  )
  return (
    <Group title={t('removal.title')} text={t('removal.text')}>
      {user.removalAt && (
        <div className="mt-3 flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft px-4 py-3 text-danger-ink">
          <p className="min-w-40 flex-1">{t('removal.set', { when: formatDay(user.removalAt) })}</p>
          <Button size="small" busy={keep.isPending} onClick={() => keep.mutate(undefined)}>
            {t('removal.keep')}
          </Button>
        </div>
      )}
      <Button className="mt-3" icon={<Trash2 className="size-4" />} onClick={() => setAsking(true)}>
        {t('removal.open')}
      </Button>
      {asking && <RemovalDialog user={user} onClose={() => setAsking(false)} />}
    </Group>
  )
}
