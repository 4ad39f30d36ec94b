import type { Scope } from '@atrium/contract/scopes'
import { type ReactNode, useId, useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { areasOf, availableScopes, nameKeyOf, type Purpose, purposeOf, scopesFor } from './rights.ts'
import { useText } from 'virtual:words/api-tokens'

/** What the token may do: one of the usual purposes, or right by right. */
export function RightsChoice({
  value,
  onChange,
  error,
}: {
  value: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  error: string | null
}) {
  const t = useText('api-tokens')
  const base = useId()
  const isAdmin = useIsAdmin()
  const [purpose, setPurpose] = useState<Purpose>(() => purposeOf(value, isAdmin))
  const choose = (next: Purpose) => {
    setPurpose(next)
    if (next !== 'custom') onChange(scopesFor(next, isAdmin))
  }
  return (
    <fieldset className="min-w-0" aria-describedby={error ? `${base}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t('scopes.name')}</legend>
      <div className="divide-y divide-line rounded-md border border-line">
        {(['inference', 'read', 'custom'] as const).map((each) => (
          <Choice key={each} id={`${base}-${each}`} name={t(`purpose.${each}`)} text={t(`purpose.${each}Text`)}>
            {(names) => (
              <input
                {...names}
                type="radio"
                name={base}
                value={each}
                checked={purpose === each}
                onChange={() => choose(each)}
                className="size-4 shrink-0 accent-accent pointer-coarse:size-5"
              />
            )}
          </Choice>
        ))}
      </div>
      {purpose === 'custom' && <Each value={value} onChange={onChange} scopes={availableScopes(isAdmin)} />}
      {error && (
        <p id={`${base}-error`} role="alert" className="mt-1.5 text-sm text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Each({
  value,
  onChange,
  scopes,
}: {
  value: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  scopes: readonly Scope[]
}) {
  const t = useText('api-tokens')
  const base = useId()
  const set = (scope: Scope, on: boolean) => onChange(on ? [...value, scope] : value.filter((other) => other !== scope))
  const box = (scope: Scope, label: string) => (
    <Checkbox aria-label={label} checked={value.includes(scope)} onChange={(on) => set(scope, on)} />
  )
  const alone = (scope: Scope, name: string, text: string) => (
    <Choice id={`${base}-${scope}`} name={name} text={text}>
      {(names) => <Checkbox {...names} checked={value.includes(scope)} onChange={(on) => set(scope, on)} />}
    </Choice>
  )
  return (
    <div className="mt-2 rounded-md border border-line">
      {alone('inference', t('scopes.inference'), t('scopes.inferenceText'))}
      <table className="w-full border-y border-line">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            <th className="px-3 py-1.5 text-start font-medium">{t('scopes.area')}</th>
            <th className="w-18 py-1.5 font-medium">{t('scopes.read')}</th>
            <th className="w-18 py-1.5 pe-2 font-medium">{t('scopes.write')}</th>
          </tr>
        </thead>
        <tbody>
          {areasOf(scopes).map(({ area, read, write }) => {
            const name = t(nameKeyOf(area))
            return (
              <tr key={area}>
                <th scope="row" className="px-3 py-1 text-start pointer-coarse:py-2.5 font-normal">
                  {name}
                </th>
                <td className="text-center">{read && box(read, t('scopes.readNamed', { name }))}</td>
                <td className="pe-2 text-center">{write && box(write, t('scopes.writeNamed', { name }))}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {scopes.includes('admin') && alone('admin', t('scopes.admin'), t('scopes.adminText'))}
    </div>
  )
}

/** A control, its name and a line about it; all of it can be clicked. */
function Choice({
  id,
  name,
  text,
  children,
}: {
  id: string
  name: string
  text: string
  children: (names: { id: string; 'aria-describedby': string }) => ReactNode
}) {
  return (
    <div className="relative flex items-start gap-2.5 px-3 py-2.5 hover:bg-hover">
      <span className="relative z-1 mt-0.75 flex">{children({ id, 'aria-describedby': `${id}-text` })}</span>
      <div className="min-w-0">
        <label htmlFor={id} className="cursor-pointer font-medium after:absolute after:inset-0">
          {name}
        </label>
        <p id={`${id}-text`} className="text-sm text-muted">
          {text}
        </p>
      </div>
    </div>
  )
}
