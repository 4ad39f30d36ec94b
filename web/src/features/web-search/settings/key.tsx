import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { saveConfig } from './store.ts'
import { useText } from 'virtual:words/web-search'

/** Written once, and never shown. */
export function Key({ hasKey, name = 'key' }: { hasKey: boolean; name?: 'key' | 'secondKey' }) {
  const t = useText('web-search')
  const { saving, save } = useSave()
  const [key, setKey] = useState('')
  async function commit(event: FormEvent) {
    event.preventDefault()
    if (key.trim() !== '' && (await save(() => saveConfig({ [name]: key.trim() })))) setKey('')
  }
  return (
    <Row id={name} label={t(name)} help={t(hasKey ? 'keySaved' : 'keyMissing')} saving={saving} stacked>
      {(names) => (
        <form onSubmit={(event) => void commit(event)} className="flex flex-wrap gap-2">
          <span className="block w-96 max-w-full">
            <PasswordInput
              {...names}
              autoComplete="off"
              maxLength={500}
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          </span>
          <Button type="submit" disabled={key.trim() === ''}>
            {t('keySave')}
          </Button>
          {hasKey && (
            <Button tone="quiet" onClick={() => void save(() => saveConfig({ [name]: '' }))}>
              {t('keyRemove')}
            </Button>
          )}
        </form>
      )}
    </Row>
  )
}
