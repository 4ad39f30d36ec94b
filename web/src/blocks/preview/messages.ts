/** What a preview may say to the app. Its page can say anything, so each message is read by its form, and bounded. Pure. */

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug'

export type PreviewMessage =
  | { readonly type: 'ready' }
  /** `loaded`: what runs while the page loads has run. */
  | { readonly type: 'pong'; readonly loaded: boolean }
  | { readonly type: 'console'; readonly level: ConsoleLevel; readonly text: string; readonly uncaught: boolean }
  /** Something that the page wanted to load; `address` may be a word such as `inline`. */
  | { readonly type: 'blocked'; readonly address: string; readonly what: string }
  | { readonly type: 'link'; readonly address: string }
  | { readonly type: 'save'; readonly name: string; readonly blob: Blob }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'full-screen' }

/** What a person is asked before it is done. */
export type PreviewRequest = Extract<PreviewMessage, { readonly type: 'link' | 'save' | 'copy' | 'full-screen' }>

export const prefix = 'atrium-preview:'
const levels: readonly ConsoleLevel[] = ['log', 'info', 'warn', 'error', 'debug']
const mostBytes = 50 * 1024 * 1024

/** null: it is none of these. */
export function readMessage(data: unknown): PreviewMessage | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, level, text, uncaught, loaded, address, what, name, blob } = data as Record<string, unknown>
  switch (type) {
    case `${prefix}ready`:
      return { type: 'ready' }
    case `${prefix}pong`:
      return { type: 'pong', loaded: loaded === true }
    case `${prefix}console`: {
      const known = levels.find((one) => one === level)
      return known && isText(text, 4000) ? { type: 'console', level: known, text, uncaught: uncaught === true } : null
    }
    case `${prefix}blocked`:
      return isText(address, 500) && isText(what, 40) ? { type: 'blocked', address, what } : null
    case `${prefix}link`:
      return isText(address, 2000) && isWebAddress(address) ? { type: 'link', address } : null
    case `${prefix}save`:
      return isText(name, 200) && blob instanceof Blob && blob.size <= mostBytes
        ? { type: 'save', name: fileName(name), blob }
        : null
    case `${prefix}copy`:
      return isText(text, 500_000) ? { type: 'copy', text } : null
    case `${prefix}full-screen`:
      return { type: 'full-screen' }
    default:
      return null
  }
}

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most

/** Never `javascript:`, `data:`, or an address of this very app. */
const isWebAddress = (address: string): boolean => {
  const { protocol, origin } = URL.parse(address) ?? {}
  return protocol === 'mailto:' || ((protocol === 'https:' || protocol === 'http:') && origin !== globalThis.origin)
}

const fileName = (name: string): string => name.replace(/[/\\\p{C}]/gu, '_').replace(/^\.+/, '') || 'file'
