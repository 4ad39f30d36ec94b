import type { ToolChange, ToolServer } from '@atrium/contract/tool-servers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { PlainText } from '../../../blocks/tool-calls/plain-text.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/tool-servers'
import { diffLines } from './diff-lines.ts'
import { DefinitionText } from './definition-text.tsx'
import { acceptChanges, changesQuery } from './management.ts'
import { refreshServers } from './state.ts'

/** What differs from what was accepted, and the way to accept it once it was seen. */
export function Changes({ server }: { server: ToolServer }) {
  const changes = useQuery({ ...changesQuery(server), staleTime: 0 })
  return (
    <QueryView query={changes}>
      {({ items, digest }) => <Decide key={digest} server={server} changes={items} digest={digest} />}
    </QueryView>
  )
}

const tones = { new: 'ok', changed: 'warn', gone: 'danger' } as const

function Decide({ server, changes, digest }: { server: ToolServer; changes: readonly ToolChange[]; digest: string }) {
  const t = useText('tool-servers')
  const [chosen, setChosen] = useState<readonly string[]>(changes.map(({ name }) => name))
  const [readOnly, setReadOnly] = useState<readonly string[]>([])
  const accept = useMutation({
    mutationFn: () => {
      const body = { digest, names: [...chosen], readOnly: readOnly.filter((name) => chosen.includes(name)) }
      return acceptChanges(server, body)
    },
    onSuccess: () => toast(t('changes.accepted')),
    // What is there now is another: it is shown, to be looked at once more.
    onSettled: () => void refreshServers(),
  })
  const toggle = (list: readonly string[], name: string, on: boolean) =>
    on ? [...list, name] : list.filter((other) => other !== name)
  if (changes.length === 0) return null
  return (
    <>
      <ul className="mt-2 divide-y divide-line rounded-lg border border-line">
        {changes.map((change) => (
          <li key={change.name} className="flex items-start gap-3 px-3 py-3">
            <Checkbox
              className="mt-1"
              aria-label={t('changes.choose', { name: change.name })}
              checked={chosen.includes(change.name)}
              onChange={(on) => setChosen(toggle(chosen, change.name, on))}
            />
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="font-medium wrap-anywhere">{change.name}</bdi>
                <Badge tone={tones[change.kind]}>{t(`changes.kind.${change.kind}`)}</Badge>
              </p>
              <Difference change={change} />
              {change.after && (
                <CheckField
                  label={t('tool.readOnly')}
                  hint={t(change.after.claimsReadOnly ? 'tool.claims' : 'tool.claimsNot')}
                  checked={readOnly.includes(change.name)}
                  onChange={(on) => setReadOnly(toggle(readOnly, change.name, on))}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {accept.error && (
        <p role="alert" className="mt-2 text-sm text-danger-ink">
          {codeOf(accept.error) === 'tool_changes_moved' ? t('changes.moved') : wordsOf(accept.error)}
        </p>
      )}
      <Button
        tone="primary"
        className="mt-3"
        busy={accept.isPending}
        disabled={chosen.length === 0}
        onClick={() => accept.mutate()}
      >
        {t('changes.accept', { count: chosen.length })}
      </Button>
    </>
  )
}

/** The whole of what is new or goes, and line by line what is another. */
function Difference({ change: { before, after } }: { change: ToolChange }) {
  const t = useText('tool-servers')
  const only = after ?? before
  if (!before || !after) return only && <DefinitionText definition={only} />
  const text = ({ title, description, inputSchema }: typeof after) =>
    `${title === null ? '' : `${title}\n`}${description}\n${JSON.stringify(inputSchema, null, 2)}`
  return (
    <pre
      dir="ltr"
      tabIndex={0}
      aria-label={t('changes.difference')}
      role="group"
      className="max-h-72 overflow-auto rounded-md border border-line bg-sunken py-1 text-start font-mono text-xs whitespace-pre-wrap wrap-anywhere"
    >
      {diffLines(text(before), text(after)).map(({ sign, line }, index) => (
        <span
          // Lines have no id, and a difference is shown as a whole.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a line is known by
          key={index}
          className={`block px-2 ${sign === '+' ? 'bg-ok-soft' : sign === '−' ? 'bg-danger-soft' : ''}`}
        >
          {sign} <PlainText text={line} />
        </span>
      ))}
    </pre>
  )
}
