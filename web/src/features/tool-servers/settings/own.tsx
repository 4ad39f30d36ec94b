import type { ToolServer } from '@atrium/contract/tool-servers'
import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExpandableRow } from '../../../ui/expandable-row.tsx'
import { useText } from 'virtual:words/tool-servers'
import { SignInReturn } from './sign-in-return.tsx'
import { CredentialForm } from './credential.tsx'
import { HealthFacts } from './health.tsx'
import { SignInPart } from './sign-in.tsx'
import { serversQuery } from './state.ts'
import { ServerTrial } from './trial.tsx'

/** The servers that one may use, and one's own way into each. */
export function OwnServers() {
  const t = useText('tool-servers')
  const servers = useQuery({ ...serversQuery, staleTime: 0 })
  return (
    <Section id="own" title={t('own.title')} text={t('own.text')}>
      <SignInReturn />
      <QueryView query={servers} title={t('notLoaded')}>
        {({ items }) => {
          const used = items.filter(({ enabled }) => enabled)
          return used.length === 0 ? (
            <EmptyState icon={<Plug />} title={t('own.none')}>
              {t('own.noneText')}
            </EmptyState>
          ) : (
            <ul className="mt-1">
              {used.map((server) => (
                <li key={server.id} className="border-b border-line">
                  <OwnServer server={server} />
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </Section>
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
        authMode === 'none' ? (
          <Badge>{t('own.noSecret')}</Badge>
        ) : (
          <Badge tone={hasCredential ? 'ok' : 'warn'}>{t(wordOf(authMode, hasCredential))}</Badge>
        )
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
      </div>
    </ExpandableRow>
  )
}

const wordOf = (mode: ToolServer['authMode'], has: boolean) => {
  if (mode === 'oauth') return has ? 'own.signedIn' : 'own.signedOut'
  return has ? 'own.saved' : 'own.missing'
}
