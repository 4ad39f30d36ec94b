import { connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { connectWithKey } from '../../../blocks/connect/connect-with-key.ts'
import { Outcome } from '../../../blocks/connect/outcome.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { keyNeed, type CatalogueCheck, applyCatalogueCheck } from './state.ts'
import { useText } from 'virtual:words/connections'

/** Takes the key that a provider wants, if any, switches the connection on and tells what its provider answered. */
export function SetUp({
  plugin,
  onDone,
  onCancel,
}: {
  plugin: Plugin
  onDone?: (answer: CatalogueCheck) => void
  onCancel?: () => void
}) {
  const t = useText('connections')
  const [apiKey, setApiKey] = useState('')
  const [forEveryone, setForEveryone] = useState(false)
  const admin = useIsAdmin()
  const need = keyNeed(plugin)
  const mayShare = admin && plugin.source === 'bundled' && need !== 'none' && apiKey.trim() !== ''
  const params = { id: plugin.id }
  const start = useMutation({
    mutationFn: async () => {
      const key = apiKey.trim()
      if (key) return await connectWithKey(plugin.id, key, mayShare && forEveryone)
      return await call(connectionsRoutes.activate, { params })
    },
    onSuccess: (answer) => {
      setApiKey('')
      applyCatalogueCheck(answer)
      onDone?.(answer)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    start.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {need !== 'none' && (
        <Field
          label={need === 'optional' ? t('key.optional') : t('key.label')}
          hint={t('key.hint')}
          action={<KeyLink plugin={plugin} />}
        >
          <PasswordInput
            autoComplete="off"
            maxLength={4096}
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
        </Field>
      )}
      {mayShare && (
        <CheckField
          label={t('connect:forEveryone')}
          hint={t('connect:forEveryoneHint')}
          checked={forEveryone}
          onChange={setForEveryone}
        />
      )}
      {need === 'none' && (
        <p className="text-sm text-muted">{plugin.signIn ? t('signIn.explain') : t('gallery.noKeyText')}</p>
      )}
      {start.isError && (
        <ErrorCard title={t('failed')} details={detailsOf(start.error)}>
          {wordsOf(start.error)}
        </ErrorCard>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button
          type="submit"
          tone="primary"
          busy={start.isPending}
          disabled={need === 'needed' && !plugin.available && !apiKey.trim()}
        >
          {start.isPending ? t('gallery.asking') : t('gallery.activate')}
        </Button>
      </div>
    </form>
  )
}

/** What looking for models gave, and where an address of a private network is in the way, the button that allows it. */
export function CatalogueCheckResult({
  check,
  onCheck,
}: {
  check: CatalogueCheck
  onCheck: (next: CatalogueCheck) => void
}) {
  const t = useText('connections')
  const admin = useIsAdmin()
  const { connection, discovery } = check
  const allow = useMutation({
    mutationFn: async () => {
      const params = { id: connection.id }
      await call(connectionsRoutes.allowPlugin, { params })
      return call(connectionsRoutes.discover, { params })
    },
    onSuccess: (answer) => {
      applyCatalogueCheck(answer)
      onCheck(answer)
    },
  })
  const offered = admin && discovery.outcome === 'unavailable' && /private/.test(discovery.reason)
  return (
    <div className="flex flex-col gap-2">
      <Outcome discovery={discovery} />
      {offered && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-warn-soft px-3.5 py-2.5 text-sm">
          <p className="min-w-48 flex-1">{t('allow.text')}</p>
          <Button size="small" busy={allow.isPending} onClick={() => allow.mutate()}>
            {t('allow.button')}
          </Button>
        </div>
      )}
      {allow.isError && <ErrorCard title={t('failed')}>{wordsOf(allow.error)}</ErrorCard>}
    </div>
  )
}

/** Where a key comes from, or at least where the provider explains itself. */
export function KeyLink({ plugin }: { plugin: Pick<Plugin, 'documentation_url' | 'name'> }) {
  const t = useText('connections')
  const url = plugin.documentation_url
  if (!url || !/^https?:/.test(url)) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1 text-sm text-accent-ink underline underline-offset-2"
    >
      {t('key.where')}
      <ExternalLink aria-hidden className="size-3" />
      <span className="sr-only">{t('newTab', { name: plugin.name })}</span>
    </a>
  )
}
