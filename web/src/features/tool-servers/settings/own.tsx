import type { ToolServer } from '@atrium/contract/tool-servers'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExpandableRow } from '../../../ui/expandable-row.tsx'
import { useText } from 'virtual:words/tool-servers'
import { SignInReturn } from './sign-in-return.tsx'
import { CredentialForm } from './credential.tsx'
import { HealthFacts } from './health.tsx'
import { SignInPart } from './sign-in.tsx'
import { pageOf } from './management.ts'
import { policyQuery, serversQuery } from './state.ts'
import { ServerTrial } from './trial.tsx'

const RegisterDialog = lazy(() => import('./register.tsx').then((module) => ({ default: module.RegisterDialog })))

/** The servers that one may use, and one's own way into each. */
export function OwnServers() {
  const t = useText('tool-servers')
  const servers = useQuery({ ...serversQuery, staleTime: 0 })
  return (
    <Section id="own" title={t('own.title')} text={t('own.text')}>
      <SignInReturn />
      <QueryView query={servers} title={t('notLoaded')}>
        {({ items }) => {
          const used = items.filter(({ enabled, personal }) => enabled || personal)
          return used.length === 0 ? (
            <EmptyState icon={<Plug />} title={t('own.none')} action={<AddServer count={0} />}>
              {t('own.noneText')}
            </EmptyState>
          ) : (
            <>
              <AddServer count={items.filter(({ personal }) => personal).length} />
              <ul className="mt-1">
                {used.map((server) => (
                  <li key={server.id} className="border-b border-line">
                    <OwnServer server={server} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </QueryView>
    </Section>
  )
}

/** The way to a server of one's own, where administrators allow that. */
function AddServer({ count }: { count: number }) {
  const t = useText('tool-servers')
  const navigate = useNavigate()
  const policy = useQuery({ ...policyQuery, staleTime: 0 })
  const [adding, setAdding] = useState(false)
  if (!policy.data) return null
  const { allowed, limit } = policy.data
  if (!allowed) return count > 0 && <p className="mt-3 text-sm text-muted">{t('own.off')}</p>
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
      {count > 0 && <p className="text-sm text-muted">{t('own.count', { count, limit })}</p>}
      <Button icon={<Plus className="size-4" />} disabled={count >= limit} onClick={() => setAdding(true)}>
        {t('own.add')}
      </Button>
      {adding && (
        <Suspense>
          <RegisterDialog
            personal
            onClose={() => setAdding(false)}
            onDone={(server) => void navigate({ to: pageOf(server) })}
          />
        </Suspense>
      )}
    </div>
  )
}

function OwnServer({ server }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const { id, name, description, authMode, hasCredential, toolCount } = server
  return (
    <ExpandableRow
      name={name}
      about={t('tools', { count: toolCount })}
      end={
        <>
          {server.personal && <Badge tone="info">{t('own.personal')}</Badge>}
          {!server.enabled && <Badge>{t('off')}</Badge>}
          {(server.details?.changeCount ?? 0) > 0 && server.personal && (
            <Badge tone="warn">{t('changesWait', { count: server.details?.changeCount ?? 0 })}</Badge>
          )}
          {authMode === 'none' ? (
            <Badge>{t('own.noSecret')}</Badge>
          ) : (
            <Badge tone={hasCredential ? 'ok' : 'warn'}>{t(wordOf(authMode, hasCredential))}</Badge>
          )}
        </>
      }
    >
      <div className="mb-4 ms-7 flex flex-col gap-2">
        {description && (
          <p dir="auto" className="text-start text-sm text-muted">
            {description}
          </p>
        )}
        <HealthFacts id={id} />
        {authMode === 'oauth' ? (
          <SignInPart server={server} />
        ) : (
          authMode !== 'none' && <CredentialForm server={server} />
        )}
        <ServerTrial id={id} />
        {server.personal && (
          <Link to={pageOf(server)} className="text-accent-ink underline underline-offset-2">
            {t('own.manage')}
          </Link>
        )}
      </div>
    </ExpandableRow>
  )
}

const wordOf = (mode: ToolServer['authMode'], has: boolean) => {
  if (mode === 'oauth') return has ? 'own.signedIn' : 'own.signedOut'
  return has ? 'own.saved' : 'own.missing'
}
