/** The checks as text for a terminal. */
import type { DoctorCheck } from '@atrium/contract/doctor'

export const checkOf = (id: string, status: DoctorCheck['status'], message: string): DoctorCheck => ({
  id,
  status,
  message,
  fixes: [],
})

const marks = { pass: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

/** What must be done comes last, where the eye is. */
export const writeChecks = (checks: readonly DoctorCheck[]): string => {
  const order = ['pass', 'warn', 'fail']
  const sorted = checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  const count = (status: DoctorCheck['status']): number => checks.filter((check) => check.status === status).length
  return [
    ...sorted.map(writeCheck),
    '',
    `${count('pass')} passed, ${count('warn')} to review, ${count('fail')} to fix.`,
  ].join('\n')
}

const writeCheck = ({ id, status, message, fixes }: DoctorCheck): string =>
  [
    `${marks[status]}  ${id}: ${message}`,
    ...fixes.map(({ program, lines }) => `        ${program}:\n${lines.replace(/^/gm, '          ')}`),
  ].join('\n')
