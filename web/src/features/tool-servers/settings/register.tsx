import {
  personalServersRoutes,
  type ToolServer,
  type ToolServerKind,
  toolServersRoutes as routes,
} from '@atrium/contract/tool-servers'
import { settingsRoutes } from '@atrium/contract/settings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, failureOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/tool-servers'
import { AuthFields, type AuthMode } from './auth-fields.tsx'
import { DocumentFields, type DocumentSource } from './document-fields.tsx'
import { isHeaderName } from './header-name.ts'
import { refreshServers } from './state.ts'
import { serverTemplates } from './templates.ts'

/** Registers a server: one that many people use, or any other. `personal`: for oneself alone, at a public address. */
export function RegisterDialog({
  personal = false,
  onClose,
  onDone,
}: {
  personal?: boolean
  onClose: () => void
  onDone: (server: ToolServer) => void
}) {
  const t = useText('tool-servers')
  const [kind, setKind] = useState<ToolServerKind>('mcp')
  const [source, setSource] = useState<DocumentSource>({ from: 'address', address: '', file: null })
  const [name, setName] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [description, setDescription] = useState('')
  const [auth, setAuth] = useState<{ mode: AuthMode; header: string }>({ mode: 'none', header: '' })
  const [tried, setTried] = useState(false)
  const isUsable = (address: string) => isWebAddress(address) && (!personal || /^https:/i.test(address.trim()))
  const faults = {
    name: name.trim() === '' ? t('fault.name') : null,
    url: isUsable(baseUrl) ? null : t(personal ? 'fault.ownUrl' : 'fault.url'),
    document: kind === 'openapi' ? faultOf(source) : null,
    header: auth.mode !== 'header' || isHeaderName(auth.header.trim()) ? null : t('fault.header'),
  }
  const save = useMutation({
    mutationFn: async ({ allow }: { allow: boolean }) => {
      if (allow) for (const address of addresses) await allowPrivate(address)
      const body = {
        name: name.trim(),
        kind,
        baseUrl: baseUrl.trim(),
        description: description.trim() || null,
        authMode: auth.mode,
        authHeader: auth.mode === 'header' ? auth.header.trim() : null,
        ...(kind === 'openapi' && documentOf(source)),
      }
      return personal
        ? await call(personalServersRoutes.addPersonalServer, { body })
        : await call(routes.addServer, { body })
    },
    onSuccess: (server) => {
      void refreshServers()
      onClose()
      onDone(server)
    },
  })
  const specUrl = kind === 'openapi' && source.from === 'address' ? source.address.trim() : ''
  const addresses = specUrl === '' ? [baseUrl] : [baseUrl, specUrl]
  const submit = () => {
    setTried(true)
    if (Object.values(faults).every((fault) => fault === null)) save.mutate({ allow: false })
  }
  return (
    <FormDialog
      title={t(personal ? 'own.addTitle' : 'registerTitle')}
      description={t(personal ? 'own.addText' : 'registerText')}
      submit={t(personal ? 'own.add' : 'register')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <div role="group" aria-label={t('templates')} className="flex flex-wrap gap-1.5">
        {serverTemplates.map((template) => (
          <button
            key={template.name}
            type="button"
            aria-pressed={template.baseUrl === baseUrl}
            onClick={() => {
              setKind('mcp')
              setName(template.name)
              setBaseUrl(template.baseUrl)
              setAuth({ mode: template.authMode, header: template.authHeader ?? '' })
            }}
            className="hit h-control-small rounded-full border border-line-strong/45 bg-raised px-3 text-sm hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
          >
            {template.name}
          </button>
        ))}
      </div>
      <Field label={t('kind.label')}>
        <Select
          value={kind}
          onChange={setKind}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
      </Field>
      <Field label={t('name')} error={tried ? faults.name : null} required>
        <Input dir="auto" maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label={t('url')}
        hint={t(kind === 'mcp' ? 'urlHint' : 'urlHintOpenApi')}
        error={tried ? faults.url : null}
        required
      >
        <Input
          dir="ltr"
          type="url"
          maxLength={2000}
          autoCapitalize="none"
          spellCheck={false}
          placeholder={kind === 'mcp' ? 'https://example.com/mcp' : 'https://api.example.com/v1'}
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
      </Field>
      {!personal && codeOf(save.error) === 'url_not_allowed' && (
        <Button className="self-start" busy={save.isPending} onClick={() => save.mutate({ allow: true })}>
          {t('allowPrivate', { place: [...new Set(addresses.map(placeOf))].join(', ') })}
        </Button>
      )}
      {kind === 'openapi' && (
        <DocumentFields
          value={source}
          fault={tried && faults.document !== null ? t(faults.document) : null}
          onChange={setSource}
        />
      )}
      <AuthFields mode={auth.mode} header={auth.header} error={tried ? faults.header : null} onChange={setAuth} />
      <Field label={t('description')} hint={personal ? undefined : t('descriptionHint')}>
        <TextArea
          dir="auto"
          rows={2}
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}

const kinds = ['mcp', 'openapi'] as const satisfies readonly ToolServerKind[]

const faultOf = ({ from, address, file }: DocumentSource): 'document.missing' | 'fault.url' | null => {
  if (from === 'file') return file === null ? 'document.missing' : null
  return address.trim() === '' || isWebAddress(address) ? null : 'fault.url'
}

const documentOf = ({ from, address, file }: DocumentSource) => {
  if (from === 'file') return file === null ? {} : { document: file.text }
  return address.trim() === '' ? {} : { specUrl: address.trim() }
}

const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address.trim())?.protocol ?? '')

const placeOf = (address: string): string => {
  const url = URL.parse(address.trim())
  return url ? `${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}` : ''
}

/** Adds exactly this host and port to those of the own network that the server may call. */
async function allowPrivate(address: string): Promise<void> {
  const { privateAddresses } = await call(settingsRoutes.instance, {})
  const place = placeOf(address)
  if (privateAddresses.value.includes(place)) return
  await call(settingsRoutes.updateInstance, { body: { privateAddresses: [...privateAddresses.value, place] } })
}
