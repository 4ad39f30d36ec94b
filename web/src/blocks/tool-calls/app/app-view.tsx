import { toolContentRoutes } from '@atrium/contract/tool-servers'
import { toolsRoutes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { toast } from '../../../ui/toaster.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/tool-calls'
import { approvalsQuery, toCall } from '../../needs-you/pending.ts'
import { Preview } from '../../preview/preview.tsx'
import { decideCall } from '../decide-call.ts'
import { parseValue } from '../parse.ts'
import { PendingCard } from '../pending-card.tsx'
import type { AppViewProps } from './app-opener.tsx'
import { createAppHost, type ResourceContents } from './app-host.ts'
import { AppQuestion } from './app-question.tsx'
import { readHostContext, watchHostContext } from './host-context.ts'
import { InsertContext } from './insert-context.ts'
import { useAppRequest } from './use-app-request.ts'

/** A page of a tool server in the frame of previews: no network, and all that it wants of its server or its person is asked. */
export function AppView({ recordId, serverId, index, args, result }: AppViewProps) {
  const t = useText('tool-calls')
  const [height, setHeight] = useState(320)
  const [calling, setCalling] = useState(0)
  const leave = useRef(new AbortController())
  const { request, ask } = useAppRequest()
  const insert = use(InsertContext)
  // The page stays while its surroundings are drawn anew.
  const asking = useRef({ ask, insert })
  asking.current = { ask, insert }
  const mayWrite = insert !== null
  // What a page asked for is taken back when nobody sees the page any more.
  useEffect(() => {
    const shown = new AbortController()
    leave.current = shown
    return () => shown.abort()
  }, [])
  const page = useQuery({
    queryKey: ['tool-app', recordId, index],
    queryFn: async () => await (await call(toolsRoutes.callMedia, { params: { recordId, index } })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const host = useMemo(
    () =>
      createAppHost({
        input: parseValue(args) ?? {},
        result,
        context: readHostContext,
        resize: setHeight,
        readResource:
          serverId === undefined
            ? undefined
            : async (uri) => {
                if (!(await asking.current.ask('resource', uri))) throw new Error('Denied by the user')
                return await readResource(serverId, uri, leave.current.signal)
              },
        offerMessage: mayWrite
          ? async (text) => {
              const allowed = await asking.current.ask('message', text)
              if (allowed) asking.current.insert?.(text)
              return allowed
            }
          : undefined,
        async callTool(name, given) {
          setCalling((count) => count + 1)
          try {
            const input = { params: { recordId }, body: { name, arguments: given } }
            return await call(toolsRoutes.callFromApp, input, { signal: leave.current.signal })
          } catch (error) {
            toast(wordsOf(error), { tone: 'danger' })
            throw error
          } finally {
            setCalling((count) => count - 1)
          }
        },
      }),
    [recordId, serverId, args, result, mayWrite],
  )
  useEffect(() => watchHostContext(host.sendContext), [host])
  if (page.error) return <ErrorCard title={t('app.failed')}>{wordsOf(page.error)}</ErrorCard>
  if (page.data === undefined) return <Skeleton lines={6} />
  return (
    <div className="flex flex-col gap-1">
      <p role="status" className="text-xs text-muted">
        {calling > 0 && t('app.calling')}
      </p>
      {calling > 0 && <AppApprovals recordId={recordId} />}
      {request && <AppQuestion request={request} />}
      <div
        style={{ height }}
        className="flex min-h-40 flex-col overflow-hidden rounded-md border border-line bg-surface"
      >
        <Preview
          kind="html"
          title={t('app.title')}
          content={page.data}
          onFullScreen={() => setHeight(640)}
          onOther={host.hear}
        />
      </div>
    </div>
  )
}

async function readResource(id: string, uri: string, signal: AbortSignal): Promise<ResourceContents[]> {
  const { items } = await call(toolContentRoutes.readServerResource, { params: { id }, body: { uri } }, { signal })
  return items.map(({ mediaType: mimeType, text, base64 }) =>
    text === null ? { uri, mimeType, blob: base64 ?? '' } : { uri, mimeType, text },
  )
}

/** What the page wants to have called, to be decided where the page stands. */
function AppApprovals({ recordId }: { recordId: string }) {
  const pending = useQuery(approvalsQuery).data?.pending ?? []
  return (
    <>
      {pending
        .filter(({ callId }) => callId.startsWith(`app_${recordId}_`))
        .map((each) => (
          <PendingCard
            key={each.id}
            call={toCall(each)}
            chatId={each.chatId}
            decide={(verdict) => decideCall(each.id, verdict)}
          />
        ))}
    </>
  )
}
