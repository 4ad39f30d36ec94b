/** The calendar: month, week, day and agenda, with everything that was planned and what others share. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { CalendarDays } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import { path, readSearch } from './search.ts'

defineActions([
  {
    id: 'calendar.open',
    name: 'app:action.calendar',
    words: 'app:action.calendarWords',
    icon: CalendarDays,
    run: (go) => go(path),
  },
])

const refresh = () => import('./data/events.ts').then((module) => module.refreshCalendar())

export const calendarFeature = {
  name: 'calendar',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./page.tsx'), 'CalendarPage'),
    }),
  ],
  rail: { name: 'app:shell.calendar', icon: CalendarDays, to: path, order: 40, owns: (at) => at === path },
  resources: {
    kinds: {
      calendar: { icon: CalendarDays, link: () => path, refresh },
      'calendar-event': { icon: CalendarDays, link: ({ id }) => links.calendarEvent(id), refresh },
    },
    words: () => import('virtual:words/calendar-names'),
  },
  settings: () => import('./settings.ts').then((module) => module.settings),
} satisfies Feature
