import { type ToolServer, type ToolSignIn, toolSignInRoutes as routes } from '@atrium/contract/tool-servers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { SignInButton } from '../../../blocks/tool-sign-in/sign-in-button.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/tool-servers'
import { refreshServers } from './state.ts'

/** One's own sign-in at a server: with whom, what it allows, and the way in and out. */
export function SignInPart({ server }: { server: ToolServer }) {
  const signIn = useQuery({ ...queryOf(routes.toolSignIn, { params: { id: server.id } }), staleTime: 0 })
  return (
    <QueryView query={signIn} lines={2}>
      {(data) => <Loaded server={server} signIn={data} />}
    </QueryView>
  )
}

function Loaded({ server: { id, name }, signIn }: { server: ToolServer; signIn: ToolSignIn }) {
  const t = useText('tool-servers')
  const leave = useMutation({
    mutationFn: () => call(routes.endToolSignIn, { params: { id } }),
    onSuccess: ({ revoked }) => toast(t(revoked ? 'signIn.out' : 'signIn.outHere', { name })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refreshServers(),
  })
  const ended = (reason: string | null) => {
    if (reason === null) toast(t('signIn.in', { name }))
    void refreshServers()
  }
  const { state, issuer, scopes, signedInAt, wanted } = signIn
  const isIn = state === 'signed-in'
  return (
    <div className="mt-2 flex flex-col gap-2">
      {isIn ? (
        <p className="text-sm text-muted">
          {signedInAt && t('signIn.since', { when: formatDateTime(signedInAt) })}{' '}
          <bdi className="font-mono text-xs wrap-anywhere">{issuer}</bdi>
        </p>
      ) : (
        <p className="text-sm text-muted">{t(state === 'needed' ? 'signIn.needed' : 'signIn.none')}</p>
      )}
      {isIn && scopes.length > 0 && <Scopes label={t('signIn.scopes')} scopes={scopes} />}
      {wanted.length > 0 && <Scopes label={t('signIn.wanted')} scopes={wanted} />}
      <div className="flex flex-wrap items-center gap-2">
        <SignInButton
          serverId={id}
          again={isIn}
          tone={isIn && wanted.length === 0 ? 'plain' : 'primary'}
          onEnded={({ reason }) => ended(reason)}
        />
        {isIn && (
          <Button
            icon={<LogOut aria-hidden className="size-4" />}
            busy={leave.isPending}
            onClick={() => leave.mutate()}
          >
            {t('signIn.leave')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Scopes are untrusted text. */
function Scopes({ label, scopes }: { label: string; scopes: readonly string[] }) {
  return (
    <p className="text-sm">
      <span className="text-muted">{label}</span>{' '}
      {scopes.slice(0, 50).map((scope) => (
        <bdi key={scope} className="me-1.5 font-mono text-xs wrap-anywhere">
          {scope}
        </bdi>
      ))}
    </p>
  )
}
