import type { NotificationKind, WaysOfKind } from '@atrium/contract/notifications'
import { wordsOf } from '../../../api/errors.ts'
import { useNotificationKindName } from '../../../blocks/notification-kind/kinds.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/notifications-settings'
import { useOwnKinds } from '../own-kinds.ts'
import { MailNote, useMailState } from './mail-state.tsx'
import { type GivenPreferences, savePreferences } from './store.ts'

type Way = keyof WaysOfKind

/** A box for each kind and each way that the instance has. */
export function KindTable({ preferences: { kinds, ways } }: { preferences: GivenPreferences }) {
  const t = useText('notifications-settings')
  const nameOf = useNotificationKindName()
  const ownKinds = useOwnKinds()
  const columns: readonly Way[] = ['app', ...ways]
  const mailState = useMailState()
  const save = async (kind: NotificationKind, changed: WaysOfKind) => {
    try {
      await savePreferences({ kinds: { [kind]: changed } })
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    }
  }
  return (
    <>
      <table className="w-full text-start">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            <th scope="col" className="py-2 text-start font-medium">
              {t('kind')}
            </th>
            {columns.map((way) => (
              <th key={way} scope="col" className="px-2 py-2 text-center font-medium">
                {t(`way.${way}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ownKinds.map((kind) => (
            <tr key={kind} className="border-b border-line">
              <th scope="row" className="py-2.5 text-start font-normal">
                {nameOf(kind)}
              </th>
              {columns.map((way) => {
                const given = kinds[kind]
                return (
                  <td key={way} className="px-2 py-2.5 text-center">
                    {way === 'mail' && isAlwaysTold(kind) ? (
                      <span aria-hidden>–</span>
                    ) : way === 'mail' ? (
                      <Select
                        aria-label={t('cell', { kind: nameOf(kind), way: t('way.mail') })}
                        value={given.mail}
                        options={mailChoices.map((value) => ({ value, label: t(`mail.choice.${value}`) }))}
                        disabled={mailState !== 'ready'}
                        onChange={(mail) => void save(kind, { ...given, mail })}
                        className="w-26 text-start"
                      />
                    ) : (
                      <Checkbox
                        aria-label={t('cell', { kind: nameOf(kind), way: t(`way.${way}`) })}
                        checked={given[way]}
                        disabled={way === 'app' && isAlwaysTold(kind)}
                        onChange={(on) => void save(kind, { ...given, [way]: on })}
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {ways.includes('mail') && <MailNote state={mailState} />}
    </>
  )
}

/**
 * As the server has it: what is about the account’s safety stands in the inbox in any case, and letters of it are no
 * choice.
 */
const isAlwaysTold = (kind: string): boolean => kind === 'security'

const mailChoices = ['off', 'now', 'digest'] as const satisfies readonly WaysOfKind['mail'][]
