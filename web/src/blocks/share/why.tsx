import { accessRoutes, type EffectiveReason, type Grant } from '@atrium/contract/access'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { factSeparator, formatDateTime } from '../../lib/format.ts'
import { useResourceWords } from '../../lib/resources.ts'
import { QueryView } from '../setting-row/query-view.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useText } from 'virtual:words/share'

/** What a person may do with a thing, and by which shares: its own, those of groups, and those of what it lies in. */
export function Why({ grant }: { grant: Grant }) {
  const t = useText('share')
  const [open, setOpen] = useState(false)
  const { name } = grant.principal
  const label = t('why.label', { name })
  return (
    <Popover
      label={label}
      align="end"
      open={open}
      onOpenChange={setOpen}
      className="w-72"
      trigger={<IconButton label={label} icon={<CircleHelp />} size="small" />}
    >
      <p className="mb-1.5 text-sm font-medium">{t('why.title', { name })}</p>
      <Reasons grant={grant} />
    </Popover>
  )
}

function Reasons({ grant: { resourceType, resourceId, principal } }: { grant: Grant }) {
  const effective = useQuery({
    ...queryOf(accessRoutes.effective, { query: { resourceType, resourceId, accountId: principal.id } }),
    staleTime: 0,
  })
  return (
    <QueryView query={effective} lines={2}>
      {({ reasons }) => (
        <ul className="flex flex-col gap-1.5 text-sm">
          {reasons.map((reason, index) => (
            <li key={index}>
              <Reason reason={reason} resourceId={resourceId} />
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  )
}

function Reason({ reason, resourceId }: { reason: EffectiveReason; resourceId: string }) {
  const t = useText('share')
  const words = useResourceWords()
  const { kind, right, on, principal, expiresAt } = reason
  const group = principal?.name ?? ''
  const parts = [
    t(`why.${kind}`, { group }),
    on && on.id !== resourceId && t('why.on', { kind: words(on.type, 'name'), name: on.name ?? '' }),
    right && t(`right.${right}`),
    expiresAt !== null && t('until', { time: formatDateTime(expiresAt) }),
  ]
  return <>{parts.filter(Boolean).join(factSeparator())}</>
}
