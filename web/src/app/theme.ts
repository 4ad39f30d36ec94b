/** Puts the chosen look on the page, and keeps a copy for the next start (`public/early.js` reads it). */
import type { Preferences, Theme } from '@atrium/contract/settings'
import { useEffect } from 'react'
import { toast } from '../ui/toaster.tsx'
import { showTimesIn } from '../lib/format.ts'
import { translate } from '../lib/texts.ts'
import { useMedia } from '../lib/media.ts'
import { chosenLanguage, showLanguage } from './language.ts'

/** Follows the preferences, and the system where they say so. */
export function useTheme(preferences: Preferences): void {
  const systemDark = useMedia('(prefers-color-scheme: dark)')
  const systemContrast = useMedia('(prefers-contrast: more)')
  const { theme, density, textSize, textWidth, motion, language, timeZone } = preferences
  // While rendering, not after: what is below writes times at once. The same zone again changes nothing.
  showTimesIn(timeZone === 'system' ? undefined : timeZone)

  useEffect(() => {
    const set = document.documentElement.dataset
    set.theme = themeOnScreen(theme.mode, systemDark, systemContrast)
    set.accent = theme.accent
    set.density = density
    set.text = textSize
    set.width = textWidth
    set.motion = motion
    keep({ mode: theme.mode, accent: theme.accent, density, textSize, textWidth, motion, language })
    paintBrowserBar()
  }, [theme.mode, theme.accent, density, textSize, textWidth, motion, language, systemDark, systemContrast])

  useEffect(() => {
    showLanguage(chosenLanguage(language)).catch(() => toast(translate('app:languageFailed'), { tone: 'danger' }))
  }, [language])
}

/** The look of the instance, for visitors of whom this browser knows no look of their own. */
export function showDefaultTheme({ mode, accent }: Theme): void {
  if (localStorage.getItem(lookKey) !== null) return
  const set = document.documentElement.dataset
  set.theme = themeOnScreen(mode, isMedia('(prefers-color-scheme: dark)'), isMedia('(prefers-contrast: more)'))
  set.accent = accent
  paintBrowserBar()
}

const isMedia = (query: string): boolean => matchMedia(query).matches

/** High contrast is black on white unless the system is dark. */
function themeOnScreen(mode: Theme['mode'], systemDark: boolean, systemContrast: boolean): string {
  const chosen = mode === 'system' ? (systemContrast ? 'contrast' : systemDark ? 'dark' : 'light') : mode
  return chosen === 'contrast' && !systemDark ? 'contrast-light' : chosen
}

const lookKey = 'atrium.look'

function keep(look: Record<string, string>) {
  try {
    localStorage.setItem(lookKey, JSON.stringify(look))
  } catch {
    // Storage is full or switched off: the next start flickers once, nothing else.
  }
}

function paintBrowserBar() {
  const colour = getComputedStyle(document.body).backgroundColor
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour)
}
