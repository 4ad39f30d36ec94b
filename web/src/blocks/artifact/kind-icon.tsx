import type { ArtifactKind } from '@atrium/contract/artifacts'
import {
  Braces,
  ChartColumn,
  CodeXml,
  FileCode,
  FileText,
  type LucideIcon,
  Network,
  PanelTop,
  PenTool,
  Sheet,
} from 'lucide-react'

const icons: Readonly<Record<ArtifactKind, LucideIcon>> = {
  html: PanelTop,
  react: CodeXml,
  svg: PenTool,
  mermaid: Network,
  markdown: FileText,
  code: FileCode,
  csv: Sheet,
  json: Braces,
  chart: ChartColumn,
}

/** Stands for what an artifact is; its words stand beside it. */
export function KindIcon({ kind }: { kind: ArtifactKind }) {
  const Icon = icons[kind]
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />
}
