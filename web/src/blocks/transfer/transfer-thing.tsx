import { accessRoutes, type ResourceType } from '@atrium/contract/access'
import { type KindWith, resources } from '@atrium/contract/resources'
import { transfersRoutes } from '@atrium/contract/transfers'
import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { queryOf } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { refreshTransfers } from './data.ts'
import { TransferDialog } from './transfer-dialog.tsx'
import { useText } from 'virtual:words/transfer'

/** The way for the owner of a thing to offer it to somebody; for everybody else, nothing. */
export function TransferThing(thing: { resourceType: ResourceType; resourceId: string; name: string }) {
  return resources[thing.resourceType].transferable ? <OwnersButton {...thing} /> : null
}

function OwnersButton({
  resourceType,
  resourceId,
  name,
}: {
  resourceType: ResourceType
  resourceId: string
  name: string
}) {
  const t = useText('transfer')
  const [asking, setAsking] = useState(false)
  const { data } = useQuery(queryOf(accessRoutes.effective, { query: { resourceType, resourceId } }))
  if (data?.right !== 'owner') return null
  return (
    <div className="mt-4 border-t border-line pt-3">
      <Button icon={<ArrowRightLeft className="size-4" />} onClick={() => setAsking(true)}>
        {t('open')}
      </Button>
      {asking && (
        <TransferDialog
          title={t('title', { name })}
          text={t(resourceType === 'chat' || resourceType === 'folder' ? 'textOfChats' : 'text')}
          mayKeep
          offer={async (offer) => {
            const body = { ...offer, resourceType: resourceType as KindWith<'transferable'>, resourceId }
            await call(transfersRoutes.offer, { body })
            await refreshTransfers()
          }}
          done={(_answer, who) => t('offered', { name, who })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
