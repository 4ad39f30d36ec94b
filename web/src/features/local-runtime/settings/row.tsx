import { connectionsRoutes } from '@atrium/contract/connections'
import {
  localRuntimeRoutes,
  type ShownVisibility,
  type RunningModel,
  type RuntimeModel,
} from '@atrium/contract/local-runtime'
import { useMutation } from '@tanstack/react-query'
import { CirclePlus, Copy, Ellipsis, Eraser, Info, MemoryStick, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { VisibilityBadges } from '../../../blocks/model-visibility/badges.tsx'
import { labelModel, setGroups } from '../../../blocks/model-visibility/change.ts'
import { GroupsDialog, LabelDialog } from '../../../blocks/model-visibility/dialogs.tsx'
import { VisibilityItems } from '../../../blocks/model-visibility/menu-items.tsx'
import { factSeparator, formatAgo, formatNumber, formatSize } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { CopyDialog } from './dialogs.tsx'
import { DetailsDialog } from './details.tsx'
import { watchTask } from './tasks.ts'
import { useText } from 'virtual:words/local-runtime'

/** One model: what it is, whether it fills memory, and everything that can be done with it in a menu. */
export function ModelRow({
  model,
  keys,
  running,
  visibility,
  onChange,
  onMake,
}: {
  model: RuntimeModel
  /** The list in which it is moved. */
  keys: readonly string[]
  running: RunningModel | undefined
  visibility: ShownVisibility
  onChange: (next: ShownVisibility) => void
  onMake: () => void
}) {
  const t = useText('local-runtime')
  const { name } = model
  const [dialog, setDialog] = useState<'details' | 'copy' | 'label' | 'groups' | 'delete' | null>(null)
  const failed = (error: Error) => void toast(wordsOf(error), { tone: 'danger' })
  const close = () => setDialog(null)
  const unload = useMutation({
    mutationFn: () => call(localRuntimeRoutes.unload, { body: { name } }),
    onSettled: () => void refresh(localRuntimeRoutes.running),
    onError: failed,
  })
  const update = useMutation({
    mutationFn: () => call(localRuntimeRoutes.pull, { body: { name } }),
    onSuccess: watchTask,
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: () => call(localRuntimeRoutes.remove, { query: { name } }),
    onSettled: () => {
      close()
      void refresh(localRuntimeRoutes.models)
      void refresh(connectionsRoutes.models)
    },
    onError: failed,
  })
  const label = visibility.metadata[name]?.label
  const facts = [
    label && name,
    formatSize(model.sizeBytes),
    model.parameterSize,
    model.quantization,
    model.contextWindow && t('window', { tokens: formatNumber(model.contextWindow) }),
  ]
  return (
    <li className="flex items-start gap-2 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi dir={label ? 'auto' : 'ltr'} className="max-w-full truncate font-medium">
            {label ?? name}
          </bdi>
          <VisibilityBadges modelKey={name} visibility={visibility} />
          {running && (
            <Badge tone="accent" icon={<MemoryStick />}>
              {t('loaded', { size: formatSize(running.sizeBytes) })}
            </Badge>
          )}
        </p>
        <p className="text-sm break-words text-muted">
          {facts.filter(Boolean).map((fact, at) => (
            <span key={String(fact)}>
              {at > 0 && ' · '}
              <bdi>{fact}</bdi>
            </span>
          ))}
        </p>
        {running && <p className="text-sm text-muted">{memoryWords(running, t)}</p>}
      </div>
      <Menu
        trigger={
          <IconButton
            label={t('menuOf', { name })}
            icon={<Ellipsis />}
            size="small"
            tooltipSide="none"
            className="shrink-0"
          />
        }
      >
        <MenuItem icon={<Info />} onSelect={() => setDialog('details')}>
          {t('details')}
        </MenuItem>
        {running && (
          <MenuItem icon={<Eraser />} onSelect={() => unload.mutate()}>
            {t('unload')}
          </MenuItem>
        )}
        <MenuItem icon={<RefreshCw />} onSelect={() => update.mutate()}>
          {t('update')}
        </MenuItem>
        <MenuItem icon={<Copy />} onSelect={() => setDialog('copy')}>
          {t('copy')}
        </MenuItem>
        <MenuItem icon={<CirclePlus />} onSelect={onMake}>
          {t('makeFromThis')}
        </MenuItem>
        <MenuSeparator />
        <VisibilityItems
          selection={{ providerType: 'local', providerId: null, model: name }}
          keys={keys}
          visibility={visibility}
          onChange={onChange}
          onRename={() => setDialog('label')}
          onGroups={() => setDialog('groups')}
        />
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger onSelect={() => setDialog('delete')}>
          {t('deleteConfirm')}
        </MenuItem>
      </Menu>
      {dialog === 'details' && <DetailsDialog name={name} onClose={close} />}
      {dialog === 'copy' && <CopyDialog source={name} onClose={close} />}
      {dialog === 'label' && (
        <LabelDialog
          name={name}
          label={label ?? ''}
          onClose={close}
          onSave={(next) => onChange(labelModel(visibility, name, next))}
        />
      )}
      {dialog === 'groups' && (
        <GroupsDialog
          title={t('model-visibility:groups.title', { name: label ?? name })}
          chosen={visibility.groups[name] ?? []}
          onClose={close}
          onSave={(groupIds) => onChange(setGroups(visibility, [name], groupIds))}
        />
      )}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title={t('deleteTitle', { name })}
        confirm={t('deleteConfirm')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('deleteText', { size: formatSize(model.sizeBytes) })}
      </ConfirmDialog>
    </li>
  )
}

/** The runtime writes a year far away for what stays loaded. */
const farAwayMs = 10 * 365 * 24 * 60 * 60_000

function memoryWords(running: RunningModel, t: (key: string, values?: Record<string, unknown>) => string): string {
  const { sizeBytes, vramBytes, expiresAt } = running
  const share = sizeBytes > 0 ? Math.min(1, vramBytes / sizeBytes) : 0
  const stays = expiresAt === null || Date.parse(expiresAt) - Date.now() > farAwayMs
  return [
    t('inGraphics', { share: formatNumber(share, { style: 'percent' }) }),
    // Its time can pass before the list is asked for again.
    stays ? t('stays') : Date.parse(expiresAt) > Date.now() && t('freed', { when: formatAgo(expiresAt) }),
  ]
    .filter(Boolean)
    .join(factSeparator())
}
