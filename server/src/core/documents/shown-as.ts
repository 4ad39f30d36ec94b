/** How a browser is given a file that somebody uploaded. Pure. */

/** What a browser only shows. Everything else is saved, as something that is no page. */
const passive = /^(application\/pdf|image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+)$/
const texts = /^(text\/|application\/(json|xml|x-ndjson|rtf)$)/

/** The type that a file of this media type is sent with, and whether it is shown in place or saved. */
export const shownAs = (mediaType: string): { mediaType: string; disposition: 'inline' | 'attachment' } => {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (passive.test(type)) return { mediaType: type, disposition: 'inline' }
  // Shown as letters, a page cannot run.
  if (texts.test(type) && !/html|xml/.test(type))
    return { mediaType: 'text/plain; charset=utf-8', disposition: 'inline' }
  return { mediaType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream', disposition: 'attachment' }
}
