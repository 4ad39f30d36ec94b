/** Artifacts as files: what each is called, and of what type it is. */
import type { ArtifactKind } from '@atrium/contract/artifacts'

const endings: Readonly<Record<Exclude<ArtifactKind, 'code'>, string>> = {
  html: 'html',
  react: 'tsx',
  svg: 'svg',
  mermaid: 'mmd',
  markdown: 'md',
  csv: 'csv',
  json: 'json',
  chart: 'json',
}

/** Endings of code whose language is not called like its files. */
const languages: Readonly<Record<string, string>> = {
  bash: 'sh',
  csharp: 'cs',
  javascript: 'js',
  kotlin: 'kt',
  markdown: 'md',
  perl: 'pl',
  powershell: 'ps1',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  typescript: 'ts',
  yaml: 'yml',
}

/** `title` is what a person wrote; whoever gives the file out makes it safe. */
export const fileNameOf = ({
  kind,
  title,
  language,
}: {
  readonly kind: ArtifactKind
  readonly title: string
  readonly language: string | null
}): string => {
  const ending = kind === 'code' ? endingOfCode(language?.toLowerCase() ?? '') : endings[kind]
  return title.toLowerCase().endsWith(`.${ending}`) ? title : `${title}.${ending}`
}

const endingOfCode = (language: string): string =>
  languages[language] ?? (/^[a-z0-9]{1,6}$/.test(language) ? language : 'txt')
