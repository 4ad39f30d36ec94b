/** A name for a file of something with this title, without its ending; `usual` where nothing of the title is left. */
export const titleToFileName = (title: string, usual: string): string =>
  title
    .replace(/[\\/:*?"<>|\n]+/g, ' ')
    .trim()
    .slice(0, 80) || usual
