import { toolsRoutes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
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
import { createAppHost } from './app-host.ts'

/** A page of a tool server in the frame of previews: no network, and each call of it asks its person. */
export function AppView({ recordId, index, args, result }: AppViewProps) {
  const t = useText('tool-calls')
  const [height, setHeight] = useState(320)
  const [calling, setCalling] = useState(0)
  const leave = useRef(new AbortController())
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
  const answer = useMemo(
    () =>
      createAppHost({
        input: parseValue(args) ?? {},
        result,
        resize: setHeight,
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
    [recordId, args, result],
  )
  if (page.error) return <ErrorCard title={t('app.failed')}>{wordsOf(page.error)}</ErrorCard>
  if (page.data === undefined) return <Skeleton lines={6} />
  return (
    <div className="flex flex-col gap-1">
      <p role="status" className="text-xs text-muted">
        {calling > 0 && t('app.calling')}
      </p>
      {calling > 0 && <AppApprovals recordId={recordId} />}
      <div
        style={{ height }}
        className="flex min-h-40 flex-col overflow-hidden rounded-md border border-line bg-surface"
      >
        <Preview
          kind="html"
          title={t('app.title')}
          content={page.data}
          onFullScreen={() => setHeight(640)}
          onOther={answer}
        />
      </div>
    </div>
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
