import type { ServerTool, ToolServer } from '@atrium/contract/tool-servers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/tool-servers'
import { AccessPart } from './access.tsx'
import { Changes } from './changes.tsx'
import { CredentialForm } from './credential.tsx'
import { DetailRows, saveServer } from './details.tsx'
import { DocumentButton } from './document-fields.tsx'
import { HealthFacts } from './health.tsx'
import { OAuthClientPart } from './oauth-client.tsx'
import { SignInPart } from './sign-in.tsx'
import { deleteServer, listOf, loadTools, replaceDocument } from './management.ts'
import { refreshServers, serverQuery } from './state.ts'
import { ServerTools } from './server-tools.tsx'
import { ServerTrial } from './trial.tsx'

/** Everything about one server, at its own address, for whoever manages it. */
export function ToolServerPage({ id }: { id: string }) {
  const server = useQuery({ ...serverQuery(id), staleTime: 0 })
  return <QueryView query={server}>{(data) => <Loaded {...data} />}</QueryView>
}

function Loaded({ server, tools }: { server: ToolServer; tools: readonly ServerTool[] }) {
  const t = useText('tool-servers')
  const { name, description, details, authMode } = server
  useTitle(name)
  if (!details) return null
  return (
    <>
      <header className="flex flex-col gap-1">
        <h3 className="text-lg font-semibold tracking-tight">
          <bdi>{name}</bdi>
        </h3>
        {description && (
          <p dir="auto" className="text-start text-muted">
            {description}
          </p>
        )}
        <p dir="ltr" className="text-start font-mono text-xs break-all text-muted">
          {details.baseUrl}
        </p>
      </header>
      <Status server={server} />
      {authMode === 'oauth' && (
        <Section id="sign-in" title={t('signIn.title')} text={t('signIn.text')}>
          <SignInPart server={server} />
          <OAuthClientPart server={server} />
        </Section>
      )}
      {authMode !== 'none' && authMode !== 'oauth' && (
        <Section id="credential" title={t('credential.title')} text={t('credential.text')}>
          <CredentialForm server={server} />
        </Section>
      )}
      <Section id="trial" title={t('trial.title')} text={t('trial.text')}>
        <ServerTrial id={server.id} />
      </Section>
      {details.changeCount > 0 && (
        <Section
          id="changes"
          title={t(server.specRevision === 0 ? 'changes.first' : 'changes.title')}
          text={t('changes.text')}
        >
          <Changes server={server} />
        </Section>
      )}
      <Section id="tools" title={t('tool.title')} text={t('tool.text')}>
        <ServerTools server={server} tools={tools} />
      </Section>
      {!server.personal && (
        <Section id="access" title={t('access.title')} text={t('access.text')}>
          <AccessPart server={server} />
        </Section>
      )}
      <Section id="details" title={t('details.title')} text={t('details.text')}>
        <DetailRows server={server} />
      </Section>
      <Remove server={server} />
    </>
  )
}

/** Whether it is used, how it does, and the way to ask it anew. */
function Status({ server }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const { id, enabled, authMode, hasCredential } = server
  const isUploaded = server.details?.isUploaded === true
  const ask = useMutation({
    mutationFn: (document: string | null) =>
      document === null ? loadTools(server) : replaceDocument(server, document),
    onSuccess: ({ details, toolCount }) =>
      toast(
        details && details.changeCount > 0
          ? t('refreshed.changes', { count: details.changeCount })
          : t('refreshed.same', { count: toolCount }),
      ),
    onSettled: () => void refreshServers(),
  })
  return (
    <div className="mt-3 rounded-xl border border-line bg-raised px-4 py-3">
      <HealthFacts id={id} />
      <SwitchRow
        id="enabled"
        label={t('enabled')}
        help={t('enabledHelp')}
        value={enabled}
        onSave={(on) => saveServer(server, { enabled: on })}
      />
      {ask.error && (
        <ErrorCard title={t('refreshFailed')} className="mt-3">
          {wordsOf(ask.error)}
        </ErrorCard>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-44 flex-1 text-sm text-muted">
          {t(
            isUploaded
              ? 'document.again'
              : authMode !== 'none' && !hasCredential
                ? authMode === 'oauth'
                  ? 'signIn.first'
                  : 'refreshNeedsSecret'
                : 'refreshHelp',
          )}
        </p>
        {isUploaded ? (
          <DocumentButton busy={ask.isPending} onChosen={({ text }) => ask.mutate(text)} />
        ) : (
          <Button busy={ask.isPending} icon={<RefreshCw className="size-4" />} onClick={() => ask.mutate(null)}>
            {t('refresh')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Remove({ server }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteServer(server),
    onSuccess: () => navigate({ to: listOf(server) }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      setAsking(false)
      void refreshServers()
    },
  })
  return (
    <div className="mt-8">
      <Button icon={<Trash2 className="size-4" />} className="text-danger-ink" onClick={() => setAsking(true)}>
        {t('remove.do')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('remove.title', { name: server.name })}
        confirm={t('remove.do')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t(server.personal ? 'remove.ownText' : 'remove.text')}
      </ConfirmDialog>
    </div>
  )
}
