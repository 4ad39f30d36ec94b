import type { ToolServer } from '@atrium/contract/tool-servers'
import { useEffect, useState } from 'react'
import { Problem } from '../../../api/errors.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/tool-servers'
import { AuthFields, type AuthMode } from './auth-fields.tsx'
import { isHeaderName } from './header-name.ts'
import { changeServer, type ServerChange } from './management.ts'
import { refreshServers } from './state.ts'

/** Changes some settings of a server, and reads it again. Rejects with what the server refuses. */
export async function saveServer(server: Pick<ToolServer, 'id' | 'personal'>, body: ServerChange): Promise<void> {
  await changeServer(server, body)
  await refreshServers()
}

/** What can be changed of a server afterwards. Where it is cannot: its tools were accepted for that place. */
export function DetailRows({ server }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const { name, description, details } = server
  if (!details) return null
  const whole = (text: string, least: number, most: number, times: number): number => {
    const value = Number(text.trim()) * times
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new Problem('out_of_range', t('outOfRange', { least: least / times, most: most / times }))
  }
  return (
    <>
      <TextRow
        id="name"
        label={t('name')}
        value={name}
        maxLength={120}
        onSave={(text) => saveServer(server, { name: text.trim() })}
      />
      <TextRow
        id="description"
        label={t('description')}
        help={t('descriptionHint')}
        value={description ?? ''}
        multiline
        maxLength={2000}
        onSave={(text) => saveServer(server, { description: text.trim() || null })}
      />
      <AuthRow server={server} />
      <TextRow
        id="headers"
        label={t('headers.label')}
        help={t('headers.help')}
        value={Object.entries(details.headers)
          .map(([header, value]) => `${header}: ${value}`)
          .join('\n')}
        multiline
        ltr
        maxLength={20_000}
        onSave={(text) => saveServer(server, { headers: headersOf(text, (line) => t('headers.bad', { line })) })}
      />
      <TextRow
        id="timeout"
        label={t('timeout.label')}
        help={t('timeout.help')}
        value={String(details.timeoutMs / 1000)}
        inputMode="numeric"
        ltr
        onSave={(text) => saveServer(server, { timeoutMs: whole(text, 1000, 120_000, 1000) })}
      />
      <TextRow
        id="size"
        label={t('size.label')}
        help={t('size.help')}
        value={String(details.maxResponseBytes / 1024)}
        inputMode="numeric"
        ltr
        onSave={(text) => saveServer(server, { maxResponseBytes: whole(text, 1024, 4_194_304, 1024) })}
      />
    </>
  )
}

function AuthRow({ server }: { server: ToolServer }) {
  const { authMode, details } = server
  const t = useText('tool-servers')
  const { saving, save } = useSave()
  const header = details?.authHeader ?? ''
  const [auth, setAuth] = useState<{ mode: AuthMode; header: string }>({ mode: authMode, header })
  useEffect(() => setAuth({ mode: authMode, header }), [authMode, header])
  const changed = auth.mode !== authMode || (auth.mode === 'header' && auth.header.trim() !== header)
  const fault = auth.mode === 'header' && !isHeaderName(auth.header.trim()) ? t('fault.header') : null
  return (
    <Row id="auth" label={t('auth.title')} help={t('auth.text')} saving={saving} stacked>
      {() => (
        <div className="flex max-w-96 flex-col gap-3">
          <AuthFields mode={auth.mode} header={auth.header} error={changed ? fault : null} onChange={setAuth} />
          {changed && (
            <Button
              tone="primary"
              className="self-start"
              disabled={fault !== null}
              onClick={() =>
                void save(() =>
                  saveServer(server, {
                    authMode: auth.mode,
                    authHeader: auth.mode === 'header' ? auth.header.trim() : null,
                  }),
                )
              }
            >
              {t('save')}
            </Button>
          )}
        </div>
      )}
    </Row>
  )
}

/** One in each line, as `Name: value`. */
const headersOf = (text: string, complaint: (line: string) => string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const colon = line.indexOf(':')
        const name = line.slice(0, colon).trim()
        if (colon < 1 || !isHeaderName(name)) throw new Problem('bad_header', complaint(line.trim()))
        return [name, line.slice(colon + 1).trim()]
      }),
  )
