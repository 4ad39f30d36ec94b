import { type Trial, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { queryOf } from '../../../api/query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/sign-in-providers'

/** What a sign-in for trying would have done; nothing was made and nothing was changed. */
export function TrialPage({ id }: { id: string }) {
  const trial = useQuery(queryOf(signInProvidersRoutes.trial, { params: { id } }))
  return <QueryView query={trial}>{(result) => <Result trial={result} />}</QueryView>
}

function Result({ trial }: { trial: Trial }) {
  const t = useText('sign-in-providers')
  const { outcome, reason, detail, mapping, claims } = trial
  const isGood = outcome !== 'refused'
  const Icon = isGood ? CircleCheck : CircleX
  return (
    <div className="flex flex-col">
      <div role="status" className={`flex gap-3 rounded-lg px-3.5 py-3 ${isGood ? 'bg-ok-soft' : 'bg-danger-soft'}`}>
        <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isGood ? 'text-ok-ink' : 'text-danger-ink'}`} />
        <div className="min-w-0">
          <p className="font-medium">{t(`outcomes.${outcome}`, { name: trial.provider.name })}</p>
          {reason && (
            <p className="mt-0.5 text-sm">
              {t(`reasons.${reason}`)} {detail && <bdi className="break-words">{detail}</bdi>}
            </p>
          )}
          <p className="mt-1 text-sm text-muted">{t('trialText', { when: formatDateTime(trial.finishedAt) })}</p>
        </div>
      </div>
      {mapping && <Mapping mapping={mapping} />}
      <Group title={t('claims')} text={t(claims.length === 0 ? 'noClaims' : 'claimsText')}>
        <dl className="text-sm">
          {claims.map(({ source, name, value }) => (
            <Pair key={`${source} ${name}`} name={name} source={source} value={value} />
          ))}
        </dl>
      </Group>
    </div>
  )
}

function Mapping({ mapping }: { mapping: NonNullable<Trial['mapping']> }) {
  const t = useText('sign-in-providers')
  const { account, groups, email } = mapping
  const names = (list: readonly string[]) => (list.length === 0 ? '—' : list.join(', '))
  const verified = t(mapping.emailVerified ? 'map.verified' : 'map.unverified')
  return (
    <Group title={t('mapping')}>
      <dl className="text-sm">
        <Pair
          name={t('map.account')}
          value={account ? account.username : t('map.newAccount', { name: mapping.username })}
        />
        <Pair name={t('map.email')} value={email === null ? '—' : `${email} (${verified})`} />
        <Pair name={t('map.subject')} value={mapping.subject} />
        <Pair name={t('map.role')} value={t(`roles.${mapping.role}`)} />
        <Pair name={t('map.joins')} value={names(groups.joins)} />
        <Pair name={t('map.leaves')} value={names(groups.leaves)} />
        <Pair name={t('map.unknown')} value={names(groups.unknown)} />
      </dl>
    </Group>
  )
}

/** `source`: where a claim came from; its name is then one of the provider's, not a word of ours. */
function Pair({ name, source, value }: { name: string; source?: string; value: string }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 border-b border-line py-2 tab:grid-cols-[14rem_1fr]">
      <dt className="min-w-0 break-words text-muted">
        {source ? <code dir="ltr">{name}</code> : name} {source && <span className="text-xs">{source}</span>}
      </dt>
      <dd className="min-w-0">
        <bdi className="break-all">{value}</bdi>
      </dd>
    </div>
  )
}
