import type { Proof } from '@atrium/contract/accounts'
import { type ExternalProvider, type Identity, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/settings'
import { LinkedRow } from './linked-row.tsx'
import { DirectoryRow, LinkDirectory } from './directory.tsx'

/** The accounts elsewhere that one can come in with, and the directory. */
export function Identities() {
  const t = useText('settings')
  const identities = useQuery({ ...queryOf(signInProvidersRoutes.identities), staleTime: 0 })
  const providers = useQuery(queryOf(signInProvidersRoutes.externalProviders))
  const directory = useQuery({ ...queryOf(signInProvidersRoutes.ldapLink), staleTime: 0 })
  const isInDirectory = directory.data?.linked ?? false
  return (
    <QueryView query={identities}>
      {({ items, waiting }) => (
        <>
          <Outcome providers={providers.data?.items ?? []} />
          {waiting && <Waiting name={waiting.provider.name} label={waiting.label} />}
          {items.length === 0 && !waiting && !isInDirectory && (
            <p className="py-3 text-sm text-muted">{t('security.noIdentities')}</p>
          )}
          <ul>
            {items.map((identity) => (
              <IdentityRow key={identity.id} identity={identity} />
            ))}
            {directory.data && isInDirectory && <DirectoryRow {...directory.data} />}
          </ul>
          {directory.isError && <ErrorCard title={wordsOf(directory.error)} onRetry={() => void directory.refetch()} />}
          <div className="mt-4 flex flex-wrap gap-2">
            {(providers.data?.items ?? []).map((provider) => (
              <LinkButton key={provider.id} provider={provider} />
            ))}
            {directory.data?.enabled && !isInDirectory && <LinkDirectory hasPassword={directory.data.hasPassword} />}
          </div>
        </>
      )}
    </QueryView>
  )
}

/** What became of a way to a provider and back, from the address. */
function Outcome({ providers }: { providers: readonly ExternalProvider[] }) {
  const t = useText('settings')
  const [said] = useState(() => new URLSearchParams(location.search))
  const nameOf = (id: string | null) => providers.find((provider) => provider.id === id)?.name ?? id ?? ''
  const linked = said.get('linked')
  if (linked) {
    return (
      <p role="status" className="my-3 rounded-lg bg-ok-soft px-3.5 py-2.5 text-sm text-ok-ink">
        {t('security.linked', { name: nameOf(linked) })}
      </p>
    )
  }
  const error = said.get('error')
  if (!error) return null
  const title = t(error === 'identity_linked' ? 'security.linkTaken' : 'security.linkFailed', {
    name: nameOf(said.get('provider')),
  })
  return <ErrorCard title={title} className="my-3" />
}

/** One that was shown at the sign-in page: this account has its address. */
function Waiting({ name, label }: { name: string; label: string }) {
  const t = useText('settings')
  const done = () => void refresh(signInProvidersRoutes.identities)
  const link = useMutation({
    mutationFn: () => call(signInProvidersRoutes.linkWaiting),
    onSuccess: () => toast(t('security.linked', { name })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: done,
  })
  const forget = useMutation({ mutationFn: () => call(signInProvidersRoutes.forgetWaiting), onSettled: done })
  return (
    <div role="status" className="my-3 rounded-lg border border-line bg-accent-soft px-3.5 py-3">
      <p className="font-medium">{t('security.linkWaiting', { name })}</p>
      <p className="mt-0.5 text-sm">
        <bdi>{label}</bdi>
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button tone="primary" busy={link.isPending} onClick={() => link.mutate()}>
          {t('security.linkNamed', { name })}
        </Button>
        <Button busy={forget.isPending} onClick={() => forget.mutate()}>
          {t('security.linkNot')}
        </Button>
      </div>
    </div>
  )
}

function IdentityRow({ identity }: { identity: Identity }) {
  const t = useText('settings')
  const { id, label, lastUsedAt, createdAt, provider } = identity
  return (
    <LinkedRow
      icon={Link2}
      name={provider.name}
      unlink={() => call(signInProvidersRoutes.unlinkIdentity, { params: { id } })}
      list={signInProvidersRoutes.identities}
    >
      <bdi>{label}</bdi> ·{' '}
      {lastUsedAt
        ? t('security.identityUsed', { when: formatAgo(lastUsedAt) })
        : t('security.since', { when: formatDateTime(createdAt) })}
    </LinkedRow>
  )
}

/** Goes to the provider; asks for a proof first unless the sign-in was just now. */
function LinkButton({ provider }: { provider: ExternalProvider }) {
  const t = useText('settings')
  const [asks, setAsks] = useState(false)
  const begin = (proof: Proof) =>
    call(signInProvidersRoutes.linkIdentity, { params: { idp: provider.id }, body: proof })
  const go = ({ url }: { url: string }) => location.assign(url)
  const link = useMutation({
    mutationFn: () => begin({}),
    onSuccess: go,
    onError: (error) => (codeOf(error) === 'proof_needed' ? setAsks(true) : toast(wordsOf(error), { tone: 'danger' })),
  })
  return (
    <>
      <Button icon={<Link2 className="size-4" />} busy={link.isPending} onClick={() => link.mutate()}>
        {t('security.linkNamed', { name: provider.name })}
      </Button>
      {asks && (
        <ProofDialog
          title={t('security.linkNamed', { name: provider.name })}
          text={t('security.linkProof')}
          confirm={t('security.linkGo', { name: provider.name })}
          act={begin}
          onDone={go}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
