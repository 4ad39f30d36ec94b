import { type ToolServer, type ToolServerAccess, toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { UsersRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../../api/client.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Button } from '../../../ui/button.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/tool-servers'
import { refreshServers } from './state.ts'

const ShareDialog = lazy(() =>
  import('../../../blocks/share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

const modes = ['admins-only', 'all-users', 'granted'] as const satisfies readonly ToolServerAccess[]

/** Who may have models call its tools. */
export function AccessPart({ server: { id, name, details } }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const { saving, save } = useSave()
  const [sharing, setSharing] = useState(false)
  if (!details) return null
  const { accessMode } = details
  return (
    <Row id="access-mode" label={t('access.label')} help={t(`access.help.${accessMode}`)} saving={saving} stacked>
      {(names) => (
        <div className="flex flex-wrap items-center gap-3">
          <SegmentedControl
            label={names['aria-label']}
            value={accessMode}
            onChange={(next) => void save(() => saveAccess(id, next))}
            options={modes.map((value) => ({ value, label: t(`access.modes.${value}`) }))}
          />
          {accessMode === 'granted' && (
            <Button icon={<UsersRound className="size-4" />} onClick={() => setSharing(true)}>
              {t('access.choose')}
            </Button>
          )}
          {sharing && (
            <Suspense>
              <ShareDialog resourceType="tool-server" resourceId={id} name={name} onClose={() => setSharing(false)} />
            </Suspense>
          )}
        </div>
      )}
    </Row>
  )
}

async function saveAccess(id: string, accessMode: ToolServerAccess): Promise<void> {
  await call(routes.updateServer, { params: { id }, body: { accessMode } })
  await refreshServers()
}
