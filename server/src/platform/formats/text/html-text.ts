/** Texts as they stand in HTML. */

/** Text as it stands in an element or an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A text as it is typed. */
export const plainHtml = (text: string): string => `<pre dir="auto">${escapeHtml(text)}</pre>`
