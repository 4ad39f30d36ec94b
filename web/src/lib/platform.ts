/** Whether this is an Apple system, where `Mod` means Command and not Control. */
export const onApple =
  typeof navigator !== 'undefined' && /mac|iphone|ipad|ipod/i.test(navigator.platform || navigator.userAgent)

/** Keys such as `Mod+Shift+K` as a person of this system reads them: `⌘⇧K` or `Ctrl+Shift+K`. */
export function readableKeys(keys: string, apple = onApple): string {
  const parts = keys.split('+')
  // `Mod++` ends in an empty part that stands for the plus sign itself.
  const names = parts.map((part) => (apple ? appleNames : plainNames)[part] ?? (part === '' ? '+' : part))
  return names.join(apple ? '' : '+')
}

const appleNames: Record<string, string> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Ctrl: '⌃',
  Enter: '↩',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
}
const plainNames: Record<string, string> = { Mod: 'Ctrl', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }
