import type { Selection } from '@atrium/contract/common'
import type { ShownVisibility } from '@atrium/contract/local-runtime'
import { ArrowDown, ArrowUp, Eye, EyeOff, MessageSquarePlus, Pencil, Star, StarOff, Users } from 'lucide-react'
import { MenuItem } from '../../ui/menu.tsx'
import { isDefaultOf, moveModel, setHidden, toggleKey, visibilityKey } from './change.ts'
import { useText } from 'virtual:words/model-visibility'

/** What administrators can do with a model for everybody, as items of its menu. */
export function VisibilityItems({
  selection,
  keys,
  visibility,
  onChange,
  onRename,
  onGroups,
}: {
  selection: Selection
  /** The list in which it is moved; null where it stands in none. */
  keys: readonly string[] | null
  visibility: ShownVisibility
  onChange: (next: ShownVisibility) => void
  onRename: () => void
  onGroups: () => void
}) {
  const t = useText('model-visibility')
  const key = visibilityKey(selection)
  const starred = visibility.starred.includes(key)
  const hidden = visibility.hidden.includes(key)
  const isDefault = isDefaultOf(visibility, key)
  const up = keys && moveModel(keys, visibility, key, -1)
  const down = keys && moveModel(keys, visibility, key, 1)
  return (
    <>
      <MenuItem
        icon={starred ? <StarOff /> : <Star />}
        onSelect={() => onChange({ ...visibility, starred: toggleKey(visibility.starred, key) })}
      >
        {starred ? t('unstar') : t('star')}
      </MenuItem>
      <MenuItem
        icon={<MessageSquarePlus />}
        disabled={visibility.fixedDefault !== undefined}
        onSelect={() => onChange({ ...visibility, defaultModel: isDefault ? null : selection })}
      >
        {isDefault ? t('unsetDefault') : t('setDefault')}
      </MenuItem>
      <MenuItem icon={hidden ? <Eye /> : <EyeOff />} onSelect={() => onChange(setHidden(visibility, [key], !hidden))}>
        {hidden ? t('show') : t('hide')}
      </MenuItem>
      <MenuItem icon={<Users />} onSelect={onGroups}>
        {t('groups.menu')}
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={onRename}>
        {t('rename')}
      </MenuItem>
      {keys && (
        <>
          <MenuItem icon={<ArrowUp />} disabled={!up} onSelect={() => up && onChange(up)}>
            {t('up')}
          </MenuItem>
          <MenuItem icon={<ArrowDown />} disabled={!down} onSelect={() => down && onChange(down)}>
            {t('down')}
          </MenuItem>
        </>
      )}
    </>
  )
}
