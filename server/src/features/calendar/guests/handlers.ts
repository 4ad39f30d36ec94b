/** A guest’s answer, and what is each reader’s own of an event. */
import type { calendarRoutes } from '@atrium/contract/calendar'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type CalendarContext, announceChange, announceTo } from '../context.ts'
import { presentEvent } from '../present.ts'
import { findOccurrence } from '../series/occurrences.ts'
import { readEvent } from '../read-event.ts'
import { factsOf, invitationOf } from './invite.ts'

type Routes = Pick<typeof calendarRoutes, 'answerInvitation' | 'updateOwn'>

export const guestHandlers = (context: CalendarContext): Handlers<Routes> => {
  const { database, eventColors, guests, namesOf, notifications, reminders } = context
  return {
    async answerInvitation({ body: { answer, occurrence } }, { resource, caller: { accountId } }) {
      const event = await readEvent(context, resource.id)
      const of = occurrence === undefined || event.content.recurrence === null ? null : Date.parse(occurrence)
      const found = of === null ? null : findOccurrence(event.content, of, 'UTC')
      if (of !== null && found === null) throw fail('occurrence_not_found')
      const { accountId: ownerId } = event
      const publisher = await notifications.publisher([ownerId])
      const by = (await namesOf([accountId])).get(accountId) ?? ''
      const { timeZone } = await notifications.preferencesOf(ownerId)
      const isGuest = await database.write(async (trx: AnyTransaction) => {
        if (!(await guests.answer(trx, { eventId: event.id, accountId }, of, answer))) return false
        await publisher.publish(trx, {
          accountId: ownerId,
          kind: 'guest-answer',
          facts: { by, answer, ...factsOf(event, of, timeZone) },
          sourceKey: `calendar-answer:${event.id}:${accountId}:${of ?? 'all'}`,
          about: `calendar-event:${event.id}`,
          again: true,
        })
        await publisher.settle(trx, { accountId, sourceKeys: [invitationOf(event.id)] })
        return true
      })
      if (!isGuest) throw fail('not_invited')
      await publisher.tell()
      await announceChange(context, ownerId, [event.calendarId], [event.id])
      return presentEvent(context, event, found, { accountId })
    },

    async updateOwn({ body }, { resource, caller: { accountId } }) {
      const event = await readEvent(context, resource.id)
      if (body.reminders !== undefined) await reminders.set(accountId, [event.id], body.reminders)
      if (body.color !== undefined) await eventColors.set(event.id, accountId, body.color)
      await announceTo(context, [accountId])
      return presentEvent(context, event, null, { accountId })
    },
  }
}
