import type { ChannelAnswer, ChannelMessage } from '@atrium/contract/channels'
import { CirclePause, CircleSlash, RefreshCw, Square, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { shownName } from '../names.ts'
import { stopAnswer } from '../open/changes.ts'
import { sendMessage } from '../open/outbox.ts'
import { openTimeline, useOpen } from '../open/store.ts'
import { canStop, findSilence } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { MessageText } from '../timeline/message-text.tsx'
import { useText } from 'virtual:words/channels'
import { useAnswerText } from './use-answer.ts'

/** What a model answers: its words as they come, how it ended, and what can be done about that. */
export function AnswerBody({ message, answer }: { message: ChannelMessage; answer: ChannelAnswer }) {
  const t = useText('channels')
  const { channel, me } = useChannel()
  const text = useAnswerText(message)
  const [stopping, setStopping] = useState(false)
  const isPending = answer.state === 'pending'
  return (
    <>
      {text !== '' && <MessageText message={{ ...message, content: text }} meId={me.id} isWhole={isPending} />}
      {isPending && text === '' && (
        <p role="status" className="text-muted">
          {t('answer.writing')}
        </p>
      )}
      {isPending && canStop(channel, answer, me.id) && (
        <Button
          size="small"
          className="mt-1"
          icon={<Square className="size-3.5" />}
          busy={stopping}
          onClick={() => {
            setStopping(true)
            void stopAnswer(message.id).finally(() => setStopping(false))
          }}
        >
          {t('answer.stop')}
        </Button>
      )}
      {answer.state !== 'pending' && answer.state !== 'completed' && <Ending message={message} answer={answer} />}
    </>
  )
}

function Ending({ message, answer }: { message: ChannelMessage; answer: ChannelAnswer }) {
  const t = useText('channels')
  const { channel, me } = useChannel()
  const rootId = message.parentId ?? message.id
  const question = useOpen(openTimeline(channel.id, rootId), ({ timeline }) =>
    timeline?.messages.find(({ id }) => id === answer.questionId),
  )
  const mayAsk =
    answer.askedBy?.id === me.id && findSilence(channel) === null && question !== undefined && question.content !== ''
  const Icon = answer.state === 'failed' ? TriangleAlert : answer.state === 'cancelled' ? CircleSlash : CirclePause
  return (
    <div
      className={`mt-1 flex flex-wrap items-center gap-2 text-sm ${answer.state === 'failed' ? 'text-danger-ink' : 'text-muted'}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0">
        {answer.state === 'failed'
          ? t(failures[answer.failure ?? ''] ?? 'answer.failed.other')
          : t(answer.state === 'cancelled' ? 'answer.cancelled' : 'answer.interrupted')}
      </span>
      {mayAsk && (
        <Button
          size="small"
          icon={<RefreshCw className="size-3.5" />}
          onClick={() =>
            sendMessage({
              channelId: channel.id,
              parentId: rootId,
              inChannel: false,
              content: question.content,
              attachments: [],
              models: [answer.model],
            })
          }
        >
          {t('answer.again')}
        </Button>
      )}
    </div>
  )
}

const failures = {
  api_key_needed: 'answer.failed.key',
  over_budget: 'answer.failed.budget',
  model_unavailable: 'answer.failed.model',
  provider_unreachable: 'answer.failed.unreachable',
  provider_rejected: 'answer.failed.rejected',
  context_overflow: 'answer.failed.long',
} as Readonly<Record<string, Failure>>

type Failure = `answer.failed.${'key' | 'budget' | 'model' | 'unreachable' | 'rejected' | 'long' | 'other'}`

/** Under whose name an answer was asked for. */
export function AskedBy({ answer }: { answer: ChannelAnswer }) {
  const t = useText('channels')
  return (
    <bdi className="truncate text-sm text-muted">
      {t('answer.askedBy', { name: shownName(answer.askedBy?.name || t('nobody')) })}
    </bdi>
  )
}
