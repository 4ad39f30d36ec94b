import { type StandingApproval, toolsRoutes as routes } from '@atrium/contract/tools'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { ToolIcon, toolName } from '../../../blocks/tool-calls/tool-words.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/tools'

onAccountEvent('tools-changed', () => void refresh(routes.approvals))

/** What was allowed for more than once, with the way to end it. */
export function StandingApprovals() {
  const t = useText('tools')
  const approvals = useQuery({ ...queryOf(routes.approvals), staleTime: 0 })
  return (
    <Section id="standing" title={t('standing.title')} text={t('standing.text')}>
      <QueryView query={approvals}>
        {({ standing }) =>
          standing.length === 0 ? (
            <p className="py-3 text-muted">{t('standing.none')}</p>
          ) : (
            <ul>
              {standing.map((approval) => (
                <Standing key={approval.id} approval={approval} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

function Standing({ approval }: { approval: StandingApproval }) {
  const t = useText('tools')
  const words = useToolWords('tool-calls')
  const { id, toolId, toolName: name, serverId, serverName, reach, chatId, createdAt } = approval
  const isBuiltin = serverId === null
  const tool = {
    name: isBuiltin ? toolId.replace(/^builtin:/, '') : name,
    source: isBuiltin ? 'builtin' : 'mcp',
  } as const
  const label = toolName(words, tool)
  const revoke = useMutation({
    mutationFn: () => call(routes.revokeApproval, { params: { approvalId: id } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(routes.approvals),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <ToolIcon tool={tool} className="size-4 shrink-0 text-muted" />
      <div className="min-w-44 flex-1">
        <p className="font-medium">
          <bdi>{label}</bdi>
          {serverName && <bdi className="font-normal text-muted"> {serverName}</bdi>}
        </p>
        <p className="text-sm text-muted">
          {reach === 'chat' && chatId !== null ? (
            <Link to={links.chat(chatId)} className="text-accent-ink underline underline-offset-2">
              {t('standing.chat')}
            </Link>
          ) : (
            t('standing.always')
          )}
          {' · '}
          {t('standing.since', { when: formatDateTime(createdAt) })}
        </p>
      </div>
      <Button
        size="small"
        busy={revoke.isPending}
        aria-label={t('standing.revokeNamed', { name: label })}
        onClick={() => revoke.mutate()}
      >
        {t('standing.revoke')}
      </Button>
    </li>
  )
}
