import type { DoctorCheck } from '@atrium/contract/doctor'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/doctor'

const order = ['fail', 'warn', 'pass'] as const
const looks = {
  pass: { icon: CircleCheck, tone: 'text-ok-ink' },
  warn: { icon: TriangleAlert, tone: 'text-warn-ink' },
  fail: { icon: CircleAlert, tone: 'text-danger-ink' },
}

/** Checks, with what must be done first. `proxy` is the program whose lines are shown where there are several. */
export function CheckList(by: { checks: readonly DoctorCheck[]; proxy: string; onProxy: (proxy: string) => void }) {
  const sorted = by.checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <ul>
      {sorted.map((check) => (
        <Check key={check.id} check={check} proxy={by.proxy} onProxy={by.onProxy} />
      ))}
    </ul>
  )
}

function Check({ check, proxy, onProxy }: { check: DoctorCheck; proxy: string; onProxy: (proxy: string) => void }) {
  const t = useText('doctor')
  const { icon: Icon, tone } = looks[check.status]
  return (
    <li id={check.id} className="group -mx-3 rounded-md px-3">
      <div className="flex gap-3 border-b border-line py-3 group-last:border-0">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
        <div className="min-w-0 flex-1">
          <p className="font-medium">
            {t(`check.${check.id}`)}{' '}
            <span className={`text-sm font-normal ${tone}`}>{t(`status.${check.status}`)}</span>
          </p>
          {/* What was seen comes from the server, in the language of its log. */}
          <p lang="en" dir="ltr" className="text-sm whitespace-pre-line text-muted [overflow-wrap:anywhere]">
            {check.message}
          </p>
          {check.fixes.length > 0 && <Fixes check={check} proxy={proxy} onProxy={onProxy} />}
        </div>
      </div>
    </li>
  )
}

/** The lines of one program: the one that was chosen, where there are lines for it. */
function Fixes({ check, proxy, onProxy }: { check: DoctorCheck; proxy: string; onProxy: (proxy: string) => void }) {
  const t = useText('doctor')
  const chosen = check.fixes.find(({ program }) => program === proxy) ?? check.fixes[0]
  if (!chosen) return null
  return (
    <div className="mt-2">
      {check.fixes.length > 1 ? (
        <Select
          aria-label={t('program', { check: t(`check.${check.id}`) })}
          value={chosen.program}
          onChange={onProxy}
          options={check.fixes.map(({ program }) => ({ value: program, label: nameOf(program, t) }))}
        />
      ) : (
        <p className="text-sm">{nameOf(chosen.program, t)}</p>
      )}
      <div dir="ltr" className="mt-1 flex items-start gap-1 rounded-md bg-sunken p-2">
        <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto text-sm">
          {chosen.lines}
        </pre>
        <CopyButton text={chosen.lines} />
      </div>
    </div>
  )
}

const nameOf = (program: string, t: ReturnType<typeof useText>): string =>
  program === 'environment' || program === 'shell' ? t(`place.${program}`) : program
