/** A guest’s answer to an event: yes, maybe or no. */
import { type GuestAnswer, calendarRoutes } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/event-answer'

const answers = ['yes', 'maybe', 'no'] as const

export function EventAnswer({
  eventId,
  title,
  occurrence,
  value,
  onAnswered,
}: {
  eventId: string
  title: string
  /** One of a series; null: all of it, or of what does not repeat. */
  occurrence: string | null
  value: GuestAnswer
  onAnswered?: () => void
}) {
  const t = useText('event-answer')
  const send = useMutation({
    mutationFn: async (answer: (typeof answers)[number]) => {
      const body = Object.assign({ answer }, occurrence === null ? {} : { occurrence })
      await call(calendarRoutes.answerInvitation, { params: { eventId }, body })
      await Promise.all([refresh(calendarRoutes.events), refresh(calendarRoutes.readEvent)])
      return answer
    },
    onSuccess(answer) {
      announce(t('said', { answer: t(answer) }))
      onAnswered?.()
    },
    onError: (error) => void toast(wordsOf(error), { tone: 'danger' }),
  })
  const chosen = send.isPending ? send.variables : value
  return (
    <div role="group" aria-label={t('label', { title })} className="flex flex-wrap gap-1.5">
      {answers.map((answer) => (
        <Button
          key={answer}
          size="small"
          tone={answer === chosen ? 'primary' : undefined}
          aria-pressed={answer === chosen}
          disabled={send.isPending}
          onClick={() => send.mutate(answer)}
        >
          {t(answer)}
        </Button>
      ))}
    </div>
  )
}
