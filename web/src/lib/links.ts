/** Every address of the app that more than one feature leads to is built here. */
const part = encodeURIComponent
const query = (values: Record<string, string | undefined>) => {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `?${new URLSearchParams(given)}` : ''
}
interface Passage {
  from?: number | undefined
  to?: number | undefined
  page?: number | undefined
  keys?: readonly { start: number; end: number }[] | undefined
}

export const links = {
  /** The empty chat. What a link gives is filled in and never sent by itself. */
  newChat: ({ temporary, ...fill }: { q?: string; folder?: string; temporary?: boolean } = {}) =>
    `/${query({ ...fill, temporary: temporary ? 'true' : undefined })}`,
  /** The empty chat, with a document attached. */
  askDocument: ({ id, filename }: { id: string; filename: string }) => `/${query({ document: id, name: filename })}`,
  chat: (chatId: string, messageId?: string) => `/chats/${part(chatId)}${query({ message: messageId })}`,
  search: (q?: string) => `/search${query({ q })}`,
  documents: (filter: { in?: string; collection?: string; status?: string } = {}) => `/documents${query(filter)}`,
  /** One document, at a passage if given; `keys` are the stretches of it that matter most. */
  document: (id: string, passage?: Passage) =>
    `/documents/${part(id)}${query({
      from: passage?.from?.toString(),
      to: passage?.to?.toString(),
      page: passage?.page?.toString(),
      keys: passage?.keys?.map(({ start, end }) => `${start}-${end}`).join('.'),
    })}`,
  /** An event of the calendar, or one of its occurrences by its start. */
  calendarEvent: (eventId: string, at?: string) => `/calendar${query({ event: eventId, at })}`,
  /** Proposes an event that is written in words. */
  calendarAdd: (words: string) => `/calendar${query({ add: words })}`,
  artifacts: () => '/artifacts',
  artifact: (id: string) => `/artifacts/${part(id)}`,
  gallery: () => '/gallery',
  /** One item of the gallery. */
  galleryItem: (mediaId: string) => `/gallery/${part(mediaId)}`,
  channels: () => '/channels',
  /** The threads that one follows in channels. */
  channelThreads: () => '/channels/threads',
  /** What one sends later in channels, and is reminded of. */
  laterMessages: () => '/channels?new=later',
  /** One channel, at a message if given, with the thread below a message of it beside it. */
  channel: (channelId: string, { message, thread }: { message?: string; thread?: string } = {}) =>
    `/channels/${part(channelId)}${query({ message, thread })}`,
  usage: () => '/usage',
  /** The state of the server, for administrators. */
  system: () => '/system',
  /** What others share. */
  shared: () => '/shared',
  /** What the account shares. */
  sharedByMe: () => '/shared/by-me',
  /** Offers of ownership. */
  transfers: () => '/shared/transfers',
  sharedFolder: (folderId: string) => `/shared/folders/${part(folderId)}`,
  /** A project of one's own: its chats, instructions, files and settings. */
  project: (projectId: string) => `/projects/${part(projectId)}`,
  automations: () => '/automations',
  automationRuns: () => '/automations/runs',
  /** One automation; `new` is the editor of another one, as a template says. */
  automation: (id: string, template?: string) => `/automations/${part(id)}${query({ template })}`,
  notifications: () => '/notifications',
  /** Reads one and goes on to what it is about. */
  notification: (id: string) => `/notifications/${part(id)}`,
  /** The own tags; all chats of one, if given. */
  tags: (name?: string) => `/tags${query({ tag: name })}`,
  archive: () => '/archive',
  trash: () => '/trash',
  /** A section of the settings, at one entry if given. */
  settings: (section?: string, entry?: string) =>
    section ? `/settings/${part(section)}${entry ? `#${part(entry)}` : ''}` : '/settings',
  /** The page of one connection in the settings. */
  connection: (id: string) => `/settings/connections/${part(id)}`,
  /** The page of one tool server in the settings. */
  toolServer: (id: string) => `/settings/tool-servers/${part(id)}`,
  /** The page of a tool server of one's own. */
  personalToolServer: (id: string) => `/settings/tools/${part(id)}`,
  /** The page of one person in the settings. */
  person: (id: string) => `/settings/people/${part(id)}`,
  signIn: (next?: string) => `/sign-in${query({ next: next === '/' ? undefined : next })}`,
  signUp: () => '/sign-up',
  forgot: () => '/forgot',
  welcome: () => '/welcome',
} as const

/** An address of this app that may be gone to after signing in; anything else becomes the start page. */
export function safeNext(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/'
}
