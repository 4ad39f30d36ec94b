// Runs before the first paint: puts the last known look (src/app/look.ts keeps it) on the page, so that nothing flickers.
;(() => {
  const root = document.documentElement
  let look = {}
  try {
    look = JSON.parse(localStorage.getItem('atrium.look') || '{}')
  } catch {
    // Storage is switched off or holds nonsense: the defaults of the style sheet stand.
  }
  const systemDark = matchMedia('(prefers-color-scheme: dark)').matches
  const dark = look.mode === 'dark' || ((look.mode || 'system') === 'system' && systemDark)
  const contrast = look.mode === 'contrast' || ((look.mode || 'system') === 'system' && matchMedia('(prefers-contrast: more)').matches)
  root.dataset.theme = contrast ? (systemDark ? 'contrast' : 'contrast-light') : dark ? 'dark' : 'light'
  if (look.accent) root.dataset.accent = look.accent
  if (look.density) root.dataset.density = look.density
  if (look.textSize) root.dataset.text = look.textSize
  if (look.textWidth) root.dataset.width = look.textWidth
  if (look.motion) root.dataset.motion = look.motion
  const language = look.language && look.language !== 'system' ? look.language : navigator.language || ''
  // `en:ltr ar:rtl`, from the table of languages in the contract.
  for (const entry of document.currentScript.dataset.languages.split(' ')) {
    const [code, direction] = entry.split(':')
    if (language.toLowerCase().split('-')[0] !== code) continue
    root.lang = code
    root.dir = direction
  }
})()
