/** What an address in an answer may be used for. */
export type LinkKind =
  | { kind: 'site'; url: string; site: string }
  | { kind: 'own'; url: string }
  | { kind: 'mail'; url: string }
  | null

/** Sorts an address found in a text: another site, this one, a mail address; null for everything that is no link. */
export function linkKind(href: string, origin: string): LinkKind {
  // Where an answer of Atrium itself leads. Any other relative address in an answer points nowhere.
  if (/^\/settings(\/[a-z-]+)*$/.test(href)) return { kind: 'own', url: new URL(href, origin).href }
  const url = parse(href)
  if (!url) return null
  if (url.protocol === 'mailto:') return { kind: 'mail', url: url.href }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.origin === origin) return { kind: 'own', url: url.href }
  // A name and password in an address only serve to make it look like another one.
  url.username = ''
  url.password = ''
  return { kind: 'site', url: url.href, site: url.host }
}

/** Where an image would come from: inside the text itself, this server, or a foreign host. */
export function pictureKind(
  src: string,
  origin: string,
):
  | { kind: 'inline'; url: string }
  | { kind: 'own'; url: string }
  | { kind: 'foreign'; url: string; host: string }
  | null {
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(src)) return { kind: 'inline', url: src }
  const link = linkKind(src, origin)
  if (!link || link.kind === 'mail') return null
  if (link.kind === 'own') return link
  return { kind: 'foreign', url: link.url, host: link.site }
}

function parse(href: string): URL | null {
  // No base: a relative address in an answer points nowhere.
  return URL.canParse(href) ? new URL(href) : null
}
