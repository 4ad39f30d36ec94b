/**
 * Channels: rooms and direct messages of people with each other. The list beside the page, and the page of one channel
 * with its threads. It refuses to fetch anything that a message names.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Hash, MessageCircle } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import type { Feature, SidebarProps } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import './actions.ts'
import { readPlace, readWish } from './search.ts'
// With the app, as the rail and the palette name the area, too.
import 'virtual:words/channels-shell'

const List = lazy(() => import('./list/sidebar.tsx').then((module) => ({ default: module.ChannelSidebar })))

/** The list is loaded with the first page of the area. */
const Sidebar = (props: SidebarProps) => (
  <Suspense>
    <List {...props} />
  </Suspense>
)

export const channelsFeature = {
  name: 'channels',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/channels',
      validateSearch: readWish,
      component: lazyRouteComponent(() => import('./page/start-page.tsx'), 'ChannelsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/channels/threads',
      component: lazyRouteComponent(() => import('./followed/threads-page.tsx'), 'ThreadsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/channels/$channelId',
      validateSearch: readPlace,
      component: lazyRouteComponent(() => import('./page/channel-page.tsx'), 'ChannelPage'),
    }),
  ],
  rail: {
    name: 'channels-shell:title',
    icon: Hash,
    to: links.channels(),
    order: 15,
    onPhones: true,
    owns: (path) => path === '/channels' || path.startsWith('/channels/'),
    // Without a network it is not there, and the page goes on without it.
    badge: lazy(() =>
      import('./list/rail-badge.tsx').then(
        (module): { default: ComponentType } => ({ default: module.RailBadge }),
        (): { default: ComponentType } => ({ default: () => null }),
      ),
    ),
  },
  sidebar: Sidebar,
  resources: {
    kinds: {
      channel: {
        icon: Hash,
        link: ({ id }) => links.channel(id),
        refresh: async () => (await import('./data/list.ts')).refreshChannels(),
      },
      'channel-message': {
        icon: MessageCircle,
        link: ({ id, chatId }) => links.channel(chatId ?? '', { message: id }),
        refresh: async () => (await import('./data/list.ts')).refreshChannels(),
      },
    },
    words: () => import('virtual:words/channels-names'),
  },
} satisfies Feature
