import { RotateCcw, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { type Action, actionGroups, groupOfAction, listActions } from '../../../lib/actions.ts'
import { readableKeys } from '../../../lib/platform.ts'
import { keysOf } from '../../../lib/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/settings'

/** Every shortcut, to be changed, switched off or set back. */
export function Shortcuts() {
  const t = useText('settings')
  const { shortcuts, shortcutsEnabled } = usePreferences()
  const reset = useSave()
  const actions = listActions().filter((action) => action.keys || !action.keysOnly)
  const inForce = (action: Action) => shortcuts[action.id] ?? action.keys ?? ''
  const clashes = (action: Action) => {
    const keys = inForce(action)
    return keys
      ? actions.filter((other) => other.id !== action.id && inForce(other) === keys).map((other) => t(other.name))
      : []
  }
  function store(id: string, keys: string | undefined) {
    const { [id]: _, ...rest } = shortcuts
    return savePreferences({ shortcuts: keys === undefined ? rest : { ...rest, [id]: keys } })
  }
  return (
    <>
      <SwitchRow
        id="enabled"
        label={t('shortcuts.enabled')}
        help={t('shortcuts.enabledHelp')}
        value={shortcutsEnabled}
        onSave={(on) => savePreferences({ shortcutsEnabled: on })}
      />
      <div id="keys" className="-mx-3 rounded-lg px-3">
        {actionGroups.map((group) => (
          <section key={group} aria-labelledby={`keys-of-${group}`} className="mt-6">
            <h3 id={`keys-of-${group}`} className="text-md font-semibold">
              {t(`app:shortcuts.${group}`)}
            </h3>
            {actions
              .filter((action) => groupOfAction(action) === group)
              .map((action) => (
                <KeyRow
                  key={action.id}
                  action={action}
                  keys={inForce(action)}
                  changed={shortcuts[action.id] !== undefined && shortcuts[action.id] !== action.keys}
                  clashes={clashes(action)}
                  disabled={!shortcutsEnabled}
                  onStore={(keys) => store(action.id, keys)}
                />
              ))}
          </section>
        ))}
      </div>
      <div className="mt-4 flex justify-end">
        <Button
          disabled={Object.keys(shortcuts).length === 0}
          busy={reset.saving.state === 'saving'}
          icon={<RotateCcw className="size-4" />}
          onClick={() => void reset.save(() => savePreferences({ shortcuts: {} }))}
        >
          {t('shortcuts.resetAll')}
        </Button>
      </div>
    </>
  )
}

function KeyRow({
  action,
  keys,
  changed,
  clashes,
  disabled,
  onStore,
}: {
  action: Action
  keys: string
  changed: boolean
  clashes: string[]
  disabled: boolean
  onStore: (keys: string | undefined) => Promise<unknown>
}) {
  const t = useText('settings')
  const { saving, save } = useSave()
  const [listening, setListening] = useState(false)

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    if (!listening || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setListening(false)
    if (event.key === 'Backspace' || event.key === 'Delete') {
      setListening(false)
      return void save(() => onStore(''))
    }
    const pressed = keysOf(event.nativeEvent)
    if (!pressed) return
    setListening(false)
    void save(() => onStore(pressed === action.keys ? undefined : pressed))
  }
  const name = t(action.name)
  return (
    <Row
      id={`keys-${action.id}`}
      label={name}
      saving={saving}
      source={
        clashes.length > 0 && (
          <span className="flex items-center gap-1.5 text-sm text-warn-ink">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />{' '}
            {t('shortcuts.clash', { other: clashes.join(', ') })}
          </span>
        )
      }
    >
      {() => (
        <span className="flex items-center gap-1">
          {changed && (
            <IconButton
              label={t('shortcuts.reset', { name })}
              icon={<RotateCcw />}
              size="small"
              onClick={() => void save(() => onStore(undefined))}
            />
          )}
          <Button
            size="small"
            disabled={disabled}
            aria-label={t('shortcuts.change', { name, keys: keys ? readableKeys(keys) : t('shortcuts.none') })}
            onClick={() => setListening(!listening)}
            onBlur={() => setListening(false)}
            onKeyDown={onKeyDown}
            className="min-w-28"
          >
            {listening ? (
              t('shortcuts.press')
            ) : keys ? (
              <Kbd keys={keys} className="border-none bg-transparent! text-sm! text-ink!" />
            ) : (
              t('shortcuts.none')
            )}
          </Button>
        </span>
      )}
    </Row>
  )
}
