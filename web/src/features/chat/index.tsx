/**
 * Conversations with models: the list beside the page, the chats themselves, what
 * others share, and the archive. It refuses to know
 * about other features; what they share with it stands in `blocks`.
 */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Folder, MessageSquare, MessageSquareText, MessagesSquare } from 'lucide-react'
import type { Feature } from '../../lib/feature.ts'
import { givenText } from '../../lib/given-text.ts'
import { links } from '../../lib/links.ts'
import './actions.ts'
import { followAccountChanges, refreshLists } from './list/cache.ts'
import { sharedText } from './page/shared-text.ts'
import { ChatSidebar } from './list/sidebar.tsx'
import 'virtual:words/chat-list'
import type { ResourceReference } from '../../lib/resources.ts'
import { knownChat, loadChat } from './open/store.ts'

// Lists and open chats follow other tabs and devices for as long as the page lives.
followAccountChanges()

async function refreshChat({ id, chatId }: ResourceReference): Promise<void> {
  refreshLists()
  const open = knownChat(chatId ?? id)
  if (open) await loadChat(open)
}

export const chatFeature = {
  name: 'chat',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/',
      validateSearch: (search: Record<string, unknown>) => ({
        q: givenText(search.q),
        folder: givenText(search.folder),
        document: givenText(search.document),
        name: givenText(search.name),
        temporary: search.temporary === 'true' || undefined,
      }),
      component: lazyRouteComponent(() => import('./page/new-chat-page.tsx'), 'NewChatPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      // Where the installed app is sent what other apps share (`share_target` of the manifest).
      path: '/share',
      validateSearch: (search: Record<string, unknown>) => ({
        title: givenText(search.title),
        text: givenText(search.text),
        url: givenText(search.url),
        files: givenText(search.files),
      }),
      beforeLoad: async ({ search }) => {
        // The server's word where no service worker took them; said where the way leads.
        if (search.files === 'not-received')
          await import('./share-target/shared-files.ts').then(({ noteNotReceived }) => noteNotReceived())
        throw redirect({ href: links.newChat({ q: sharedText(search) || undefined }), replace: true })
      },
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/chats/$chatId',
      validateSearch: (search: Record<string, unknown>) => ({ message: givenText(search.message) }),
      component: lazyRouteComponent(() => {
        // What draws the messages comes beside the page, not after it; the page itself waits for it.
        void import('./thread/thread.tsx').catch(() => undefined)
        return import('./page/chat-page.tsx')
      }, 'ChatPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/projects/$projectId',
      component: lazyRouteComponent(() => import('./project/project-page.tsx'), 'ProjectPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/shared/folders/$folderId',
      component: lazyRouteComponent(() => import('./shared/folder-page.tsx'), 'SharedFolderPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/archive',
      component: lazyRouteComponent(() => import('./page/archive-page.tsx'), 'ArchivePage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/tags',
      // A name stands in no path: one that ends like a file’s would be taken for a file.
      validateSearch: (search: Record<string, unknown>) => ({ tag: givenText(search.tag) }),
      component: lazyRouteComponent(() => import('./tags/tags-page.tsx'), 'TagsPage'),
    }),
  ],
  guestRoutes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/shared-chat',
      component: lazyRouteComponent(() => import('./links/visit-page.tsx'), 'LinkedChatPage'),
    }),
  ],
  rail: {
    name: 'chat-list:rail',
    icon: MessagesSquare,
    to: links.newChat(),
    order: 10,
    owns: (path) => path === '/' || /^\/(?:chats\/|projects\/|shared(?:\/|$)|tags$|archive$|trash$)/.test(path),
  },
  sidebar: ChatSidebar,
  resources: {
    kinds: {
      chat: { icon: MessageSquare, link: ({ id }) => links.chat(id), refresh: refreshChat, hasContent: true },
      message: {
        icon: MessageSquareText,
        link: ({ id, chatId }) => links.chat(chatId ?? '', id),
        refresh: refreshChat,
      },
      folder: { icon: Folder, link: ({ id }) => links.sharedFolder(id), refresh: refreshChat },
    },
    words: () => import('virtual:words/chat-names'),
  },
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
} satisfies Feature
