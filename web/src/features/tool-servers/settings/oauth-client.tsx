import {
  personalServersRoutes,
  type ToolOAuthClient,
  type ToolServer,
  toolSignInRoutes,
} from '@atrium/contract/tool-servers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/tool-servers'
import { deleteOAuthClient, oauthClientQuery, saveOAuthClient } from './management.ts'

/** Who Atrium is to the authorization server, where that does not register apps by itself. */
export function OAuthClientPart({ server }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const client = useQuery({ ...oauthClientQuery(server), staleTime: 0 })
  return (
    <Disclosure title={t('client.title')}>
      <QueryView query={client}>
        {(data) => <ClientForm key={`${data.clientId}`} server={server} client={data} />}
      </QueryView>
    </Disclosure>
  )
}

function ClientForm({ server, client }: { server: ToolServer; client: ToolOAuthClient }) {
  const t = useText('tool-servers')
  const [clientId, setClientId] = useState(client.clientId ?? '')
  const [secret, setSecret] = useState('')
  const settled = () =>
    void refresh(server.personal ? personalServersRoutes.personalOAuthClient : toolSignInRoutes.toolOAuthClient)
  const save = useMutation({
    mutationFn: () => saveOAuthClient(server, { clientId: clientId.trim(), clientSecret: secret.trim() || null }),
    onSuccess: () => {
      setSecret('')
      toast(t('client.saved'))
    },
    onSettled: settled,
  })
  const remove = useMutation({
    mutationFn: () => deleteOAuthClient(server),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: settled,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (clientId.trim() !== '') save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-sm text-muted">{t('client.text')}</p>
      <Field label={t('client.redirectUrl')}>
        <Input dir="ltr" readOnly value={client.redirectUrl} onFocus={(event) => event.target.select()} />
      </Field>
      <Field label={t('client.id')} error={save.error && wordsOf(save.error)}>
        <Input
          dir="ltr"
          maxLength={500}
          autoCapitalize="none"
          spellCheck={false}
          value={clientId}
          onChange={(event) => setClientId(event.target.value)}
        />
      </Field>
      <Field label={t('client.secret')} hint={t(client.hasSecret ? 'client.hasSecret' : 'client.noSecret')}>
        <PasswordInput
          autoComplete="off"
          maxLength={2000}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={save.isPending} disabled={clientId.trim() === ''}>
          {t('client.save')}
        </Button>
        {client.clientId !== null && (
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>
            {t('client.remove')}
          </Button>
        )}
      </div>
    </form>
  )
}
