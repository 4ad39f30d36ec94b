import { expect, test } from 'vitest'
import { links, safeNext } from './links.ts'

test('addresses stay what people have bookmarked', () => {
  expect({
    newChat: links.newChat(),
    filled: links.newChat({ q: 'hello & bye', folder: 'f1' }),
    chat: links.chat('c1'),
    message: links.chat('c 1', 'm/2'),
    search: links.search('kites in:chats'),
    documents: links.documents(),
    document: links.document('d1'),
    passage: links.document('d1', { from: 10, to: 20 }),
    tags: links.tags(),
    tag: links.tags('node.js & co'),
    numberTag: links.tags('1.0'),
    archive: links.archive(),
    trash: links.trash(),
    settings: links.settings(),
    section: links.settings('appearance'),
    entry: links.settings('appearance', 'density'),
    signIn: links.signIn(),
    signInNext: links.signIn('/chats/c1?message=m'),
    signInHome: links.signIn('/'),
    signUp: links.signUp(),
    welcome: links.welcome(),
  }).toMatchInlineSnapshot(`
    {
      "archive": "/archive",
      "chat": "/chats/c1",
      "document": "/documents/d1",
      "documents": "/documents",
      "entry": "/settings/appearance#density",
      "filled": "/?q=hello+%26+bye&folder=f1",
      "message": "/chats/c%201?message=m%2F2",
      "newChat": "/",
      "numberTag": "/tags?tag=1.0",
      "passage": "/documents/d1?from=10&to=20",
      "search": "/search?q=kites+in%3Achats",
      "section": "/settings/appearance",
      "settings": "/settings",
      "signIn": "/sign-in",
      "signInHome": "/sign-in",
      "signInNext": "/sign-in?next=%2Fchats%2Fc1%3Fmessage%3Dm",
      "signUp": "/sign-up",
      "tag": "/tags?tag=node.js+%26+co",
      "tags": "/tags",
      "trash": "/trash",
      "welcome": "/welcome",
    }
  `)
})

test('signing in never leads to another site', () => {
  expect(['/chats/1', '//evil.example', '/\\evil.example', 'https://evil.example', undefined].map(safeNext)).toEqual([
    '/chats/1',
    '/',
    '/',
    '/',
    '/',
  ])
})
