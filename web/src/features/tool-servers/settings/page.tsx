import { mostToolServers, personalServersRoutes, type ToolServer } from '@atrium/contract/tool-servers'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { links } from '../../../lib/links.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/tool-servers'
import { RegisterDialog } from './register.tsx'
import { ServerRow } from './server-row.tsx'
import { policyQuery, refreshServers, serversQuery } from './state.ts'

/** All servers that are registered, for administrators. */
export function ToolServers() {
  const t = useText('tool-servers')
  const navigate = useNavigate()
  const servers = useQuery({ ...serversQuery, staleTime: 0, select: ({ items }) => items.filter(isShared) })
  const [registering, setRegistering] = useState(false)
  const register = (
    <Button
      tone="primary"
      icon={<Plus className="size-4" />}
      disabled={(servers.data?.length ?? 0) >= mostToolServers}
      onClick={() => setRegistering(true)}
    >
      {t('register')}
    </Button>
  )
  return (
    <>
      <Section id="servers" title={t('servers')} text={t('serversText')}>
        <QueryView query={servers} title={t('notLoaded')}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={<Plug />} title={t('none')} action={register}>
                {t('noneText')}
              </EmptyState>
            ) : (
              <>
                <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
                  <p className="text-sm text-muted">{t('count', { count: items.length, limit: mostToolServers })}</p>
                  {register}
                </div>
                <ul className="mt-2">
                  {items.map((server) => (
                    <ServerRow key={server.id} server={server} />
                  ))}
                </ul>
              </>
            )
          }
        </QueryView>
        {registering && (
          <RegisterDialog
            onClose={() => setRegistering(false)}
            onDone={({ id }) => void navigate({ to: links.toolServer(id) })}
          />
        )}
      </Section>
      <PersonalServers />
    </>
  )
}

const isShared = ({ personal }: ToolServer): boolean => !personal

/** Whether people have servers of their own. */
function PersonalServers() {
  const t = useText('tool-servers')
  const policy = useQuery({ ...policyQuery, staleTime: 0 })
  return (
    <Section id="personalAllowed" title={t('personal.title')} text={t('personal.text')}>
      <QueryView query={policy} lines={1}>
        {({ allowed, lockedByEnv, limit }) => (
          <SwitchRow
            id="personal-allowed"
            label={t('personal.allow')}
            help={t('personal.allowHelp', { count: limit })}
            source={
              lockedByEnv && <Badge tone="info">{t('personal.fixed', { variable: 'TOOLS_PERSONAL_SERVERS' })}</Badge>
            }
            value={allowed}
            disabled={lockedByEnv}
            onSave={async (on) => {
              await call(personalServersRoutes.updatePersonalServersPolicy, { body: { allowed: on } })
              await refreshServers()
            }}
          />
        )}
      </QueryView>
    </Section>
  )
}
