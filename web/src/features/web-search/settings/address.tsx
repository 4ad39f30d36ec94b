import { Problem } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { useEffect, useState, type FormEvent } from 'react'
import { Input } from '../../../ui/input.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { FixedBadge } from './fixed-badge.tsx'
import type { WebSearchSettings } from './page.tsx'
import { saveConfig } from './store.ts'
import { useText } from 'virtual:words/web-search'

/** Where the engine answers. One in the own network has to be allowed, in so many words. */
export function Address({ config }: { config: WebSearchSettings }) {
  const t = useText('web-search')
  const { saving, save } = useSave()
  const [url, setUrl] = useState(config.url)
  useEffect(() => setUrl(config.url), [config.url])
  const isFixed = config.source === 'environment'
  const needed = config.engine === 'searxng' || config.engine === 'json'
  const place = saving.error instanceof Problem && saving.error.code === 'url_not_allowed' ? placeOf(url) : null
  const store = (allowPrivate: boolean) => void save(() => saveConfig({ url: url.trim(), allowPrivate }))
  function commit(event: FormEvent) {
    event.preventDefault()
    if (url.trim() !== config.url) store(false)
  }
  return (
    <Row
      id="address"
      label={t('address')}
      help={t(needed ? 'addressHelp' : 'addressOptional')}
      source={isFixed && <FixedBadge />}
      saving={saving}
      stacked
    >
      {(names) => (
        <form onSubmit={commit} className="flex flex-wrap gap-2">
          <Input
            {...names}
            disabled={isFixed}
            dir="ltr"
            inputMode="url"
            spellCheck={false}
            autoComplete="off"
            placeholder={config.engine === 'searxng' ? 'http://localhost:8080' : 'https://'}
            className="max-w-96"
            maxLength={1000}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            onBlur={() => url.trim() !== config.url && saving.state === 'idle' && store(false)}
          />
          {place !== null && saving.state === 'failed' && (
            <Button onClick={() => store(true)}>{t('allowPrivate', { place })}</Button>
          )}
        </form>
      )}
    </Row>
  )
}

const placeOf = (address: string): string | null => URL.parse(address.trim())?.host || null
