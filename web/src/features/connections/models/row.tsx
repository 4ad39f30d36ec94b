import type { Model } from '@atrium/contract/connections'
import type { ShownVisibility } from '@atrium/contract/local-runtime'
import { useNavigate } from '@tanstack/react-router'
import { CircleDollarSign, Ellipsis, Plug } from 'lucide-react'
import { useState } from 'react'
import { VisibilityBadges } from '../../../blocks/model-visibility/badges.tsx'
import { labelModel, setGroups, visibilityKey } from '../../../blocks/model-visibility/change.ts'
import { GroupsDialog, LabelDialog } from '../../../blocks/model-visibility/dialogs.tsx'
import { VisibilityItems } from '../../../blocks/model-visibility/menu-items.tsx'
import { priceWords } from '../../../blocks/price.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/connections'

/** One model: what it is, how everybody sees it, and what can be done with it in a menu. */
export function ModelRow({
  model,
  keys,
  visibility,
  groupNames,
  chosen,
  onChosen,
  onChange,
}: {
  model: Model
  /** The list in which it is moved; null while only some of it are shown. */
  keys: readonly string[] | null
  visibility: ShownVisibility
  groupNames: ReadonlyMap<string, string>
  chosen: boolean
  onChosen: (on: boolean) => void
  onChange: (next: ShownVisibility) => void
}) {
  const t = useText('connections')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'label' | 'groups' | null>(null)
  const { selection, providerName, contextWindow, price, local } = model
  const key = visibilityKey(selection)
  const label = visibility.metadata[key]?.label
  const name = label ?? selection.model
  const groupIds = visibility.groups[key] ?? []
  const facts = [
    providerName,
    label && selection.model,
    contextWindow !== null && t('catalogue.window', { tokens: formatNumber(contextWindow) }),
    price ? t('blocks:models.perMillion', { price: priceWords(t, price) }) : !local && t('manage.noPrice'),
    groupIds.length > 0 && groupIds.map((id) => groupNames.get(id) ?? t('manage.groupGone')).join(', '),
  ].filter(Boolean)
  return (
    <li aria-label={name} className="flex items-start gap-3 border-b border-line py-2.5">
      <Checkbox className="mt-1" aria-label={t('manage.choose', { name })} checked={chosen} onChange={onChosen} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi dir={label ? 'auto' : 'ltr'} className="max-w-full font-medium break-all">
            {name}
          </bdi>
          <VisibilityBadges modelKey={key} visibility={visibility} />
        </p>
        <p className="text-sm break-words text-muted">
          {facts.map((fact, at) => (
            <span key={String(fact)}>
              {at > 0 && ' · '}
              <bdi>{fact}</bdi>
            </span>
          ))}
        </p>
      </div>
      <Menu
        trigger={
          <IconButton
            label={t('manage.menuOf', { name })}
            icon={<Ellipsis />}
            size="small"
            tooltipSide="none"
            className="shrink-0"
          />
        }
      >
        <VisibilityItems
          selection={selection}
          keys={keys}
          visibility={visibility}
          onChange={onChange}
          onRename={() => setDialog('label')}
          onGroups={() => setDialog('groups')}
        />
        {selection.providerId !== null && (
          <>
            <MenuSeparator />
            {!local && (
              <MenuItem
                icon={<CircleDollarSign />}
                onSelect={() =>
                  void navigate({
                    to: links.usage(),
                    search: { tab: 'prices', providerId: selection.providerId, model: selection.model } as never,
                  })
                }
              >
                {t('manage.setPrice')}
              </MenuItem>
            )}
            <MenuItem
              icon={<Plug />}
              onSelect={() => void navigate({ to: links.connection(selection.providerId ?? '') })}
            >
              {t('manage.openConnection')}
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'label' && (
        <LabelDialog
          name={selection.model}
          label={label ?? ''}
          onClose={() => setDialog(null)}
          onSave={(next) => onChange(labelModel(visibility, key, next))}
        />
      )}
      {dialog === 'groups' && (
        <GroupsDialog
          title={t('model-visibility:groups.title', { name })}
          chosen={groupIds}
          onClose={() => setDialog(null)}
          onSave={(next) => onChange(setGroups(visibility, [key], next))}
        />
      )}
    </li>
  )
}
