import { usePreferences } from '../../api/account.ts'
import { actionGroups, groupOfAction, listActions, listFixedKeys } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'
import { useText } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useGo, useKeysOf } from '../shell/keys.ts'

/** All shortcuts as they are in force now. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useText('app')
  const go = useGo()
  const keysOf = useKeysOf()
  const { shortcutsEnabled } = usePreferences()
  const groups = new Map<string, Shortcut[]>(actionGroups.map((group) => [t(`shortcuts.${group}`), []]))
  for (const action of listActions()) {
    const keys = keysOf(action.id)
    if (keys) groups.get(t(`shortcuts.${groupOfAction(action)}`))?.push({ name: t(action.name), keys })
  }
  for (const [heading, rows] of listFixedKeys())
    groups.set(
      t(heading),
      rows.map(({ name, keys }) => ({ name: t(name), keys })),
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      width="wide"
      isLongText
      title={t('shortcuts.title')}
      description={shortcutsEnabled ? t('shortcuts.text') : t('shortcuts.off')}
      footer={
        <Button
          onClick={() => {
            onClose()
            go(links.settings('shortcuts'))
          }}
        >
          {t('shortcuts.change')}
        </Button>
      }
    >
      {[...groups]
        .filter(([, rows]) => rows.length > 0)
        .map(([heading, rows]) => (
          <section key={heading} aria-label={heading} className="mb-4">
            <h3 className="mb-1 text-sm font-medium text-muted">{heading}</h3>
            <dl className="gap-x-8 tab:columns-2">
              {rows.map((row) => (
                <div
                  key={`${row.name} ${row.keys}`}
                  className="flex min-h-9 break-inside-avoid items-center gap-3 border-b border-line py-1"
                >
                  <dt className="min-w-0 flex-1">{row.name}</dt>
                  <dd className="m-0">
                    <Kbd keys={row.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
    </Dialog>
  )
}

interface Shortcut {
  name: string
  keys: string
}
