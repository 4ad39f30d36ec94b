import { connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import type { Answer } from '@atrium/contract/route'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Select } from '../../ui/select.tsx'
import { connectWithKey } from './connect-with-key.ts'
import { makerOfKey } from './key-maker.ts'
import { useText } from 'virtual:words/connect'

type Looked = Answer<typeof connectionsRoutes.saveKey>

/**
 * An API key and nothing else: its shape tells the provider, which can be changed, and the connection is switched on
 * with it. `onDone` gets what the provider answered; `onAddress` an address that was pasted in the place of a key.
 */
export function PasteKey({
  onDone,
  onCancel,
  onAddress,
}: {
  onDone: (answer: Looked) => void
  onCancel: () => void
  onAddress?: (url: string) => void
}) {
  const t = useText('connect')
  const plugins = useQuery(queryOf(connectionsRoutes.plugins))
  const [apiKey, setApiKey] = useState('')
  const [chosen, setChosen] = useState('')
  const providers = (plugins.data?.items ?? []).filter(takesKey).toSorted((a, b) => a.name.localeCompare(b.name))
  const told = providers.find(({ id }) => id === makerOfKey(apiKey))
  const provider = providers.find(({ id }) => id === chosen) ?? told
  const [forEveryone, setForEveryone] = useState(false)
  const admin = useIsAdmin()
  const mayShare = admin && provider?.source === 'bundled'
  const connect = useMutation({
    mutationFn: (id: string) => connectWithKey(id, apiKey, mayShare && forEveryone),
    onSuccess: (answer) => {
      setApiKey('')
      setChosen('')
      onDone(answer)
    },
    onSettled: () => {
      for (const route of [connectionsRoutes.connections, connectionsRoutes.plugins, connectionsRoutes.models])
        void refresh(route)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (provider) connect.mutate(provider.id)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid gap-4 tab:grid-cols-[1fr_14rem]">
        <Field label={t('key')} hint={t('pasteHint')}>
          <PasswordInput
            name="key"
            autoComplete="off"
            required
            maxLength={4096}
            value={apiKey}
            onChange={(event) => {
              setApiKey(event.target.value)
              setChosen('')
            }}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text').trim()
              if (!onAddress || !/^https?:\/\/\S+$/i.test(pasted)) return
              event.preventDefault()
              onAddress(pasted)
            }}
          />
        </Field>
        <Field label={t('provider')} hint={apiKey.trim() && (told ? t('makerKnown') : t('makerUnknown'))}>
          <Select
            value={provider?.id ?? ''}
            onChange={setChosen}
            className="w-full"
            options={[
              ...(provider ? [] : [{ value: '', label: t('chooseProvider') }]),
              ...providers.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      </div>
      {mayShare && (
        <CheckField
          label={t('forEveryone')}
          hint={t('forEveryoneHint')}
          checked={forEveryone}
          onChange={setForEveryone}
        />
      )}
      {(connect.isError || plugins.isError) && (
        <ErrorCard title={t('failed')} details={detailsOf(connect.error ?? plugins.error)}>
          {wordsOf(connect.error ?? plugins.error)}
        </ErrorCard>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" tone="primary" busy={connect.isPending} disabled={!provider || !apiKey.trim()}>
          {connect.isPending ? t('connecting') : t('connect')}
        </Button>
      </div>
    </form>
  )
}

/** Makers elsewhere that want a key; local servers are named by their address. */
const takesKey = ({ auth, signIn, local, type }: Plugin): boolean =>
  auth.header !== '' && !signIn && !local && (type === 'completion' || type === 'chat')
