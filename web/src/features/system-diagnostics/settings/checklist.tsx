import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { loadSetupSteps, type SetupStep } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/system-diagnostics'

/** So long what is not known yet is waited for, in ms; then it counts as not done. */
const patience = 4000

/** What a new server still needs, each with the way to it; gone when all of it is done, or nobody wants to see it. */
export function Checklist() {
  const t = useText('system-diagnostics')
  const { data: all } = useQuery({ queryKey: ['setup-steps'], queryFn: loadSetupSteps, staleTime: Infinity })
  const { hiddenSetupSteps: hidden } = usePreferences()
  const [done, setDone] = useState<ReadonlyMap<string, boolean>>(new Map())
  const tell = useCallback((id: string, value: boolean) => setDone((before) => new Map(before).set(id, value)), [])
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, patience, true)
    return () => clearTimeout(timer)
  }, [])
  const steps = all?.filter(({ id }) => !hidden.includes(id))
  if (!steps) return null
  const count = steps.filter(({ id }) => done.get(id)).length
  // Nothing stands here before all is known, so that the page does not jump.
  const isKnown = isLate || steps.every(({ id }) => done.has(id))
  const keep = (ids: readonly string[]) =>
    savePreferences({ hiddenSetupSteps: [...ids] }).catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
  const hide = () => {
    void keep([...hidden, ...steps.map(({ id }) => id)])
    toast(t('setup.hidden'), { action: { label: t('setup.undo'), onClick: () => void keep(hidden) } })
  }
  const list = (
    <ul>
      {steps.map((step) => (
        <Step key={step.id} step={step} onKnown={tell} />
      ))}
    </ul>
  )
  if (!isKnown || count === steps.length) return <div hidden>{list}</div>
  return (
    <Section id="setup" title={t('setup.title')}>
      <div className="mb-1 flex items-center gap-2">
        <p className="min-w-0 flex-1 text-sm text-muted">
          {t('setup.done', { done: formatNumber(count), count: steps.length })}
        </p>
        <Button size="small" onClick={hide}>
          {t('setup.hide')}
        </Button>
      </div>
      {list}
    </Section>
  )
}

function Step({ step, onKnown }: { step: SetupStep; onKnown: (id: string, done: boolean) => void }) {
  const t = useText('system-diagnostics')
  const done = step.useDone()
  const { id, namespace } = step
  useEffect(() => {
    if (done !== undefined) onKnown(id, done)
  }, [id, done, onKnown])
  return (
    <li className="border-b border-line last:border-0">
      <Link to={step.to} className="flex min-h-11 items-center gap-3 rounded-md px-1 py-2 hover:bg-hover">
        {done ? (
          <CircleCheck aria-label={t('setup.isDone')} className="size-4.5 shrink-0 text-ok-ink" />
        ) : (
          <Circle aria-label={t('setup.isOpen')} className="size-4.5 shrink-0 text-muted" />
        )}
        <span className="min-w-0">
          <span className={done ? 'block text-muted' : 'block font-medium'}>{t(`${namespace}:setup.${id}.name`)}</span>
          {!done && <span className="block text-sm text-muted">{t(`${namespace}:setup.${id}.help`)}</span>}
        </span>
      </Link>
    </li>
  )
}
