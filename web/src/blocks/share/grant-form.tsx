import { accessRoutes, type Grant, type Principal, type ResourceType, type Right } from '@atrium/contract/access'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import type { Translate } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { PrincipalField } from './principal-field.tsx'
import { useText } from 'virtual:words/share'

/** The rights that mean something. Only its owner changes a thing; shared, it can be read. */
const meaningful: readonly Right[] = ['read']

/** The rights to choose among, and the one that is given now. */
export function rightsOf(t: Translate, given?: Right): { value: Right; label: string }[] {
  const all = given && !meaningful.includes(given) ? [...meaningful, given] : meaningful
  return all.map((value) => ({ value, label: t(`right.${value}`) }))
}

const ends = ['never', 'day', 'week', 'month', 'own'] as const
type End = (typeof ends)[number]
const days: Partial<Record<End, number>> = { day: 1, week: 7, month: 30 }

/** Chooses somebody, what they may do, and until when. */
export function GrantForm({
  resourceType,
  resourceId,
  grants,
  onChanged,
}: {
  resourceType: ResourceType
  resourceId: string
  grants: readonly Grant[]
  onChanged: () => Promise<void>
}) {
  const t = useText('share')
  const [who, setWho] = useState<Principal | null>(null)
  const [right, setRight] = useState<Right>('read')
  const [end, setEnd] = useState<End>('never')
  const [day, setDay] = useState('')
  const [problem, setProblem] = useState<'who' | 'day' | null>(null)
  const share = useMutation({
    mutationFn: (body: { principal: Principal; expiresAt: string | null }) =>
      call(accessRoutes.grant, {
        body: {
          resourceType,
          resourceId,
          right,
          expiresAt: body.expiresAt,
          principalType: body.principal.type,
          principalId: body.principal.id,
        },
      }),
    onSuccess: async (grant) => {
      setWho(null)
      announce(t('sharedWith', { name: grant.principal.name }))
      await onChanged()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const until = endOf(end, day)
    setProblem(who === null ? 'who' : until === undefined ? 'day' : null)
    if (who !== null && until !== undefined) share.mutate({ principal: who, expiresAt: until })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label={t('whoField')}
        error={problem === 'who' && !who ? t('whoMissing') : share.isError ? wordsOf(share.error) : null}
      >
        <PrincipalField value={who} onChange={setWho} taken={grants.map(({ principal }) => principal)} />
      </Field>
      <div className="flex flex-wrap items-end gap-3">
        {rightsOf(t).length > 1 && (
          <Field label={t('rightField')} className="min-w-40 flex-1">
            <Select value={right} onChange={setRight} options={rightsOf(t)} />
          </Field>
        )}
        <Field label={t('endField')} className="min-w-36 flex-1">
          <Select value={end} onChange={setEnd} options={ends.map((value) => ({ value, label: t(`end.${value}`) }))} />
        </Field>
        {end === 'own' && (
          <Field label={t('dayField')} className="min-w-36 flex-1" error={problem === 'day' ? t('dayMissing') : null}>
            <Input type="date" value={day} min={tomorrow()} onChange={(event) => setDay(event.target.value)} />
          </Field>
        )}
        <Button type="submit" tone="primary" busy={share.isPending} className="max-w-full">
          <span className="truncate">{who ? t('shareWith', { name: who.name }) : t('share')}</span>
        </Button>
      </div>
      <p className="text-sm text-muted">{t(`rightText.${right}`)}</p>
    </form>
  )
}

/** When it ends; null for never, undefined where that cannot be said. */
function endOf(end: End, day: string): string | null | undefined {
  if (end === 'never') return null
  const count = days[end]
  if (count !== undefined) return new Date(Date.now() + count * 86_400_000).toISOString()
  const time = new Date(`${day}T23:59:59`)
  return Number.isNaN(time.getTime()) || time.getTime() <= Date.now() ? undefined : time.toISOString()
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
