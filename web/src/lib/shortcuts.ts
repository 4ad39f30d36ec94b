/** Which keys a key press stands for, and whether it is the one that an action waits for. */
import { onApple } from './platform.ts'

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/**
 * Whether a key press is the given keys, such as `Mod+Shift+K`, `Alt+ArrowUp` or `?`. Letters go by what the layout
 * types; where that is not a Latin letter or sign (Arabic, Greek, shifted signs), by the place of the key.
 */
export function matchesKeys(press: Press, keys: string, apple = onApple): boolean {
  const { modifiers, key } = parseKeys(keys)
  if (!key) return false
  const mod = apple ? press.metaKey : press.ctrlKey
  const other = apple ? press.ctrlKey : press.metaKey
  if (mod !== modifiers.has('Mod') || other !== modifiers.has('Ctrl') || press.altKey !== modifiers.has('Alt'))
    return false
  const typed = press.key.toLowerCase()
  const wanted = key.toLowerCase()
  // A sign such as `?` is typed with Shift on many layouts, so Shift counts only where it is asked for or a letter is.
  if (typed === wanted && (press.shiftKey === modifiers.has('Shift') || isSign(wanted))) return true
  const place = placeOf(press.code)
  return place === wanted && press.shiftKey === modifiers.has('Shift') && !/^[a-z]$/.test(typed)
}

/** The keys of a key press as they are written in settings, or null while only modifiers are down. */
export function keysOf(press: Press, apple = onApple): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead', 'Process'].includes(press.key)) return null
  const place = placeOf(press.code)
  const key = /^[a-z]$/i.test(press.key) || !place ? press.key : place
  const parts = [
    (apple ? press.metaKey : press.ctrlKey) && 'Mod',
    (apple ? press.ctrlKey : press.metaKey) && 'Ctrl',
    press.altKey && 'Alt',
    press.shiftKey && 'Shift',
    key.length === 1 ? key.toUpperCase() : key,
  ]
  return parts.filter(Boolean).join('+')
}

/** Whether keys are typed into this element, so that single letters must be left to it. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)
}

/** Whether the keys hold a modifier that typing text does not use. */
export const hasModifier = (keys: string): boolean =>
  /\b(Mod|Ctrl|Alt)\b/.test(keys) || /^(Shift\+)?(Escape|F\d+)$/.test(keys)

function parseKeys(keys: string) {
  const parts = keys.split('+')
  let key = parts.pop() ?? ''
  // `Mod++` means the plus sign.
  if (key === '' && parts.length) {
    key = '+'
    parts.pop()
  }
  return { modifiers: new Set(parts), key }
}

const isSign = (key: string) => key.length === 1 && !/[a-z0-9]/.test(key)

function placeOf(code: string): string | null {
  const letter = /^(?:Key|Digit)(.)$/.exec(code)?.[1]
  return letter?.toLowerCase() ?? signPlaces[code] ?? null
}

const signPlaces: Record<string, string> = {
  Backslash: '\\',
  Slash: '/',
  Period: '.',
  Comma: ',',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Minus: '-',
  Equal: '=',
  Backquote: '`',
}
