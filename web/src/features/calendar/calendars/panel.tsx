import type { Calendar } from '@atrium/contract/calendar'
import {
  ChevronLeft,
  ChevronRight,
  Download,
  MailQuestion,
  MoreHorizontal,
  Pencil,
  Plus,
  RefreshCw,
  Rss,
  Share2,
  Trash2,
  Workflow,
} from 'lucide-react'
import { formatAgo } from '../../../lib/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { deleteCalendar, exportCalendar, refreshSubscription } from '../data/changes.ts'
import { colorOfCalendar, colorToStyle } from '../data/colors.ts'
import { formatDay } from '../data/format.ts'
import { automationRuns, invitations, noCalendar, showCalendar, useHiddenCalendars } from '../data/hidden.ts'
import { useGrid } from '../grid/grid-context.ts'
import { SmallMonth } from '../month/small-month.tsx'
import { QuickAddBox } from '../quick-add/quick-add-box.tsx'
import { useLayerAutomations } from '../runs/use-runs.ts'
import { type Day, addMonths } from '../time/day.ts'
import { useText } from 'virtual:words/calendar'

export type PanelRequest =
  | { readonly what: 'calendar'; readonly calendar: Calendar | null }
  | { readonly what: 'share'; readonly calendar: Calendar }
  | { readonly what: 'feeds'; readonly calendar: Calendar }
  | { readonly what: 'unsubscribe'; readonly calendar: Calendar }
  | { readonly what: 'quick-add'; readonly text: string }

/** A line for an event in words, a small month, and the calendars: which are shown, and what can be done with them. */
export function CalendarsPanel({
  day,
  onDay,
  onAsk,
}: {
  day: Day
  onDay: (day: Day) => void
  onAsk: (asked: PanelRequest) => void
}) {
  const t = useText('calendar')
  const { calendars } = useGrid()
  const automations = useLayerAutomations()
  const own = calendars.filter(({ shared, subscription }) => shared === null && subscription === null)
  const subscribed = calendars.filter(({ shared, subscription }) => shared === null && subscription !== null)
  const others = calendars.filter(({ shared }) => shared !== null)
  return (
    <div className="flex flex-col gap-5 p-3">
      <QuickAddBox onText={(text) => onAsk({ what: 'quick-add', text })} />
      <section aria-label={t('smallMonth')}>
        <div className="mb-1 flex items-center">
          <span className="min-w-0 flex-1 truncate ps-1.5 text-sm font-semibold">{formatDay(day, 'month')}</span>
          <IconButton
            label={t('monthBefore')}
            icon={<ChevronLeft />}
            size="small"
            onClick={() => onDay(addMonths(day, -1))}
          />
          <IconButton
            label={t('monthAfter')}
            icon={<ChevronRight />}
            size="small"
            onClick={() => onDay(addMonths(day, 1))}
          />
        </div>
        <SmallMonth plain day={day} onDay={onDay} />
      </section>
      <section>
        <div className="mb-1 flex items-center">
          <h2 className="flex-1 ps-1.5 text-sm font-semibold">{t('calendars')}</h2>
          <IconButton
            label={t('newCalendar')}
            icon={<Plus />}
            size="small"
            onClick={() => onAsk({ what: 'calendar', calendar: null })}
          />
        </div>
        <ul>
          <Row id={noCalendar} name={t('noCalendar')} color={colorOfCalendar(undefined)} />
          <Row
            id={invitations}
            name={t('guests.layer')}
            color={colorOfCalendar(undefined)}
            sign={<MailQuestion aria-hidden className="-ms-0.5 size-3.5 shrink-0 text-muted" />}
          />
          {own.map((calendar) => (
            <Row
              key={calendar.id}
              id={calendar.id}
              name={calendar.name}
              color={colorOfCalendar(calendar)}
              menu={<CalendarMenu calendar={calendar} onAsk={onAsk} />}
            />
          ))}
          {(!automations.isShown || (automations.list?.length ?? 0) > 0) && (
            <Row
              id={automationRuns}
              name={t('automations')}
              color={quiet}
              sign={<Workflow aria-hidden className="-ms-0.5 size-3.5 shrink-0 text-muted" />}
            />
          )}
        </ul>
      </section>
      {subscribed.length > 0 && (
        <section>
          <h2 className="mb-1 ps-1.5 text-sm font-semibold">{t('subscription.section')}</h2>
          <ul>
            {subscribed.map((calendar) => (
              <Row
                key={calendar.id}
                id={calendar.id}
                name={calendar.name}
                color={colorOfCalendar(calendar)}
                hint={<SubscriptionWords subscription={calendar.subscription} />}
                menu={<CalendarMenu calendar={calendar} onAsk={onAsk} />}
              />
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section>
          <h2 className="mb-1 ps-1.5 text-sm font-semibold">{t('sharedCalendars')}</h2>
          <ul>
            {others.map((calendar) => (
              <Row
                key={calendar.id}
                id={calendar.id}
                name={calendar.name}
                color={colorOfCalendar(calendar)}
                hint={t(calendar.shared?.right === 'read' ? 'sharedToRead' : 'sharedBy', {
                  name: calendar.shared?.ownerName,
                })}
                menu={<CalendarMenu calendar={calendar} onAsk={onAsk} />}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Of the box of what has no colour. */
const quiet = '#6b7680'

function Row({
  id,
  name,
  color,
  hint,
  sign,
  menu,
}: {
  id: string
  name: string
  color: string
  hint?: React.ReactNode
  /** Instead of a dot of its colour. */
  sign?: React.ReactNode
  menu?: React.ReactNode
}) {
  const isShown = !useHiddenCalendars().includes(id)
  return (
    <li className="flex min-h-row items-center gap-1 rounded-md ps-1.5 hover:bg-hover">
      <label className="flex min-w-0 flex-1 items-center gap-2.5 py-1">
        <Checkbox
          checked={isShown}
          onChange={(on) => showCalendar(id, on)}
          style={Object.assign(colorToStyle(color), { accentColor: color })}
        />
        {sign ?? (
          <span aria-hidden style={colorToStyle(color)} className="size-2.5 shrink-0 rounded-full bg-(--tint)" />
        )}
        <span className="min-w-0">
          <span dir="auto" className="block truncate">
            {name}
          </span>
          {hint && <span className="line-clamp-3 text-xs break-words text-muted">{hint}</span>}
        </span>
      </label>
      {menu}
    </li>
  )
}

/** Where a calendar comes from and how old it is, or why it could not be read. */
function SubscriptionWords({ subscription }: { subscription: Calendar['subscription'] }) {
  const t = useText('calendar')
  if (!subscription) return null
  const { host, refreshedAt, failure } = subscription
  if (failure !== null) {
    const why = t(`subscription.failure.${failure}`)
    const words = refreshedAt ? t('subscription.failed', { why, when: formatAgo(refreshedAt) }) : why
    return <span className="text-warn-ink">{words}</span>
  }
  return refreshedAt
    ? t('subscription.refreshed', { host, when: formatAgo(refreshedAt) })
    : t('subscription.from', { host })
}

function CalendarMenu({ calendar, onAsk }: { calendar: Calendar; onAsk: (asked: PanelRequest) => void }) {
  const t = useText('calendar')
  const { name, shared, subscription } = calendar
  const isOwn = shared === null
  return (
    <Menu
      trigger={<IconButton label={t('menuOf', { name })} icon={<MoreHorizontal />} size="small" tooltipSide="none" />}
    >
      <MenuItem icon={<Pencil />} onSelect={() => onAsk({ what: 'calendar', calendar })}>
        {t(isOwn ? 'editCalendar' : 'changeColor')}
      </MenuItem>
      {(isOwn || shared.right === 'admin') && (
        <MenuItem icon={<Share2 />} onSelect={() => onAsk({ what: 'share', calendar })}>
          {t('share')}
        </MenuItem>
      )}
      <MenuItem icon={<Download />} onSelect={() => void exportCalendar(calendar)}>
        {t('export')}
      </MenuItem>
      {isOwn && subscription === null && (
        <>
          <MenuItem icon={<Rss />} onSelect={() => onAsk({ what: 'feeds', calendar })}>
            {t('feeds.menu')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => void deleteCalendar(calendar)}>
            {t('delete')}
          </MenuItem>
        </>
      )}
      {isOwn && subscription !== null && (
        <>
          <MenuItem icon={<RefreshCw />} onSelect={() => void refreshSubscription(calendar)}>
            {t('subscription.refresh')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => onAsk({ what: 'unsubscribe', calendar })}>
            {t('subscription.unsubscribe')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
