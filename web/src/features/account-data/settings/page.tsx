import { accountDataRoutes } from '@atrium/contract/account-data'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wipeOffline } from '../../../blocks/offline/offline.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { formatDay } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { RemovalCounts } from '../../../blocks/removal-counts/removal-counts.tsx'
import { LostThings } from '../../../blocks/transfer/lost-things.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { Exports } from './exports.tsx'
import { useText } from 'virtual:words/account-data'

/** What the account has: to be taken along, or deleted with it. */
export function OwnData() {
  return (
    <>
      <Exports />
      <Removal />
    </>
  )
}

function Removal() {
  const t = useText('account-data')
  const [asking, setAsking] = useState(false)
  const removal = useQuery({ ...queryOf(accountDataRoutes.ownRemoval), staleTime: 0 })
  // Whoever confirms has read that it withdraws them.
  const isDespite = (removal.data?.openTransfers ?? 0) > 0
  return (
    <section id="delete" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('delete.title')} text={t('delete.text')}>
        <QueryView query={removal}>
          {(data) => (
            <>
              {data.removalAt && (
                <p role="status" className="mt-3 rounded-lg bg-danger-soft px-4 py-3 text-danger-ink">
                  {t('delete.set', { when: formatDay(data.removalAt) })}
                </p>
              )}
              <div className="mt-3">
                <RemovalCounts counts={data.counts} />
                <LostThings removal={data} />
              </div>
            </>
          )}
        </QueryView>
        <Button className="mt-4" icon={<Trash2 className="size-4" />} onClick={() => setAsking(true)}>
          {t('delete.open')}
        </Button>
        {asking && (
          <ProofDialog
            title={t('delete.dialog')}
            text={[t('delete.dialogText'), isDespite && t('delete.despite')].filter(Boolean).join(' ')}
            confirm={t('delete.do')}
            danger
            act={(proof) => call(accountDataRoutes.removeOwn, { body: { ...proof, despiteTransfers: isDespite } })}
            onDone={() => {
              queryClient.clear()
              void wipeOffline().finally(() => location.assign(links.signIn()))
            }}
            onClose={() => setAsking(false)}
          />
        )}
      </Group>
    </section>
  )
}
