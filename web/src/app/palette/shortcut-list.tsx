import { usePreferences } from '../../api/account.ts'
import { listActions } from '../../lib/actions.ts'
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
  const rows = listActions().flatMap((action) => {
    const keys = keysOf(action.id)
    return keys ? [{ id: action.id, name: t(action.name), keys }] : []
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      width="wide"
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
      <dl className="grid gap-x-8 tab:grid-cols-2">
        {rows.map((row) => (
          <div key={row.id} className="flex min-h-9 items-center gap-3 border-b border-line py-1">
            <dt className="min-w-0 flex-1">{row.name}</dt>
            <dd className="m-0">
              <Kbd keys={row.keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
