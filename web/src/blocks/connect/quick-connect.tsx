import { type Discovery, connectionsRoutes } from '@atrium/contract/connections'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { readEvents } from '../../api/read-events.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { type TrialOptions, TrialSteps } from './trial.tsx'
import { modelIdsOf } from './model-ids.ts'
import { useText } from 'virtual:words/connect'

/** What was connected; the local runtime is no connection, and has no id. */
export interface ConnectionResult {
  readonly id: string | null
  readonly name: string
  readonly discovery: Discovery | null
}

/**
 * The address of a local runtime or of an endpoint, and a name and key for the latter; the server tells which it is,
 * and connects it in one step or leaves nothing behind. An address in a private network is asked about once more, and
 * then exactly that host and port is allowed.
 */
export function QuickConnect({
  onDone,
  onCancel,
  testable,
  initialUrl = '',
}: {
  onDone: (made: ConnectionResult) => void
  onCancel?: () => void
  /** Offers to test what was entered before it is connected. */
  testable?: boolean
  /** The address to begin with. */
  initialUrl?: string
}) {
  const t = useText('connect')
  const [name, setName] = useState('')
  const [url, setUrl] = useState(initialUrl)
  const [apiKey, setApiKey] = useState('')
  const [modelNames, setModelNames] = useState('')
  const connect = useMutation({
    mutationFn: async (allowPrivate: boolean): Promise<ConnectionResult> => {
      const allow = allowPrivate || undefined
      const { kind, url: address } = await call(connectionsRoutes.probe, { body: { url, allowPrivate: allow } })
      if (kind === 'ollama') {
        await call(localRuntimeRoutes.updateSettings, { body: { enabled: true, baseUrl: address } })
        return { id: null, name: hostAndPortOf(address), discovery: null }
      }
      const key = apiKey.trim() || undefined
      const ids = modelIdsOf(modelNames)
      const body = {
        name: name.trim() || hostAndPortOf(address),
        url: address,
        apiKey: key,
        allowPrivate: allow,
        ...(ids.length > 0 ? { models: ids } : {}),
      }
      const { connection, discovery } = await call(connectionsRoutes.quick, { body })
      return { id: connection.id, name: connection.name, discovery }
    },
    onSuccess: async (made) => {
      const changed = [connectionsRoutes.connections, connectionsRoutes.models, connectionsRoutes.found]
      await Promise.all([...changed.map((route) => refresh(route)), refresh(localRuntimeRoutes.settings)])
      onDone(made)
    },
  })
  // A private place that the test was refused at, and where it may go once.
  const [place, setPlace] = useState<{ host: string; allowed: boolean } | null>(null)
  const host = hostAndPortOf(url)
  async function follow(options: TrialOptions) {
    const allowPrivate = (place?.allowed && place.host === host) || undefined
    const models = modelIdsOf(modelNames)
    const body = { url, apiKey: apiKey.trim() || undefined, allowPrivate, ...(models.length > 0 ? { models } : {}) }
    try {
      await readEvents(connectionsRoutes.quickTest, { body }, options)
    } catch (error) {
      if (codeOf(error) === 'url_not_allowed' && !allowPrivate) setPlace({ host, allowed: false })
      throw error
    }
  }
  const code = connect.isError ? codeOf(connect.error) : null
  const isPrivate = code === 'url_not_allowed' && !connect.variables

  // It answered, and named no models: whoever knows them can.
  const listsNone = modelNames !== '' || code === 'provider_failed' || code === 'provider_rejected'

  function submit(event: FormEvent) {
    event.preventDefault()
    connect.mutate(false)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t('url')} hint={t('urlHint')}>
        <Input
          name="url"
          inputMode="url"
          dir="ltr"
          required
          spellCheck={false}
          autoCapitalize="none"
          placeholder="http://192.168.1.5:11434"
          // What was pasted elsewhere goes on here.
          autoFocus={initialUrl !== ''}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <div className="grid gap-4 tab:grid-cols-2">
        <Field label={t('name')} hint={t('nameHint')} error={code === 'plugin_exists' && wordsOf(connect.error)}>
          <Input
            name="name"
            autoComplete="off"
            dir="auto"
            maxLength={100}
            placeholder={hostAndPortOf(url)}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={t('key')} hint={t('keyHint')} error={code === 'api_key_needed' && wordsOf(connect.error)}>
          <PasswordInput
            name="key"
            autoComplete="off"
            maxLength={4096}
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
        </Field>
      </div>
      {listsNone && (
        <Field label={t('modelIds')} hint={t('modelIdsHint')}>
          <TextArea
            name="models"
            dir="ltr"
            rows={3}
            spellCheck={false}
            autoCapitalize="none"
            value={modelNames}
            onChange={(event) => setModelNames(event.target.value)}
          />
        </Field>
      )}
      {isPrivate && (
        <div role="alert" className="rounded-lg border border-line bg-warn-soft px-3.5 py-3">
          <p className="font-medium">{t('privateTitle')}</p>
          <p className="mt-0.5 text-sm">{t('privateText', { host: hostAndPortOf(url) })}</p>
          <Button size="small" className="mt-2.5" busy={connect.isPending} onClick={() => connect.mutate(true)}>
            {t('privateAllow')}
          </Button>
        </div>
      )}
      {connect.isError && !isPrivate && code !== 'plugin_exists' && code !== 'api_key_needed' && (
        <ErrorCard title={t('failed')} details={detailsOf(connect.error)}>
          {wordsOf(connect.error)}
        </ErrorCard>
      )}
      {testable && host !== '' && (
        <>
          <TrialSteps key={`${host} ${apiKey}`} follow={follow} />
          {place?.host === host && (
            <CheckField
              label={t('privateTest', { host })}
              checked={place.allowed}
              onChange={(allowed) => setPlace({ host, allowed })}
            />
          )}
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button type="submit" tone="primary" busy={connect.isPending}>
          {connect.isPending ? t('connecting') : t('connect')}
        </Button>
      </div>
    </form>
  )
}

/** How a server without a name is called: its host, with the port where it is not the usual one. */
const hostAndPortOf = (written: string): string => {
  const typed = written.trim()
  return URL.parse(typed.includes('://') ? typed : `http://${typed}`)?.host ?? ''
}
