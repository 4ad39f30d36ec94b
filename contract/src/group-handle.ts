/** How a group is written after `@`: its name in small letters, with hyphens where it has spaces; empty where nothing is left. */
export const groupHandle = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, '-')
    .replace(/[^\p{L}\p{N}._-]/gu, '')
    .replace(/^[._-]+|[._-]+$/gu, '')
    .slice(0, 64)
