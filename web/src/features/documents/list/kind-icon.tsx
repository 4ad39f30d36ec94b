import type { FileType } from '@atrium/contract/documents'
import {
  Archive,
  AudioLines,
  BookOpen,
  Braces,
  CalendarDays,
  Code,
  File,
  FileText,
  Globe,
  Image,
  type LucideIcon,
  Mail,
  Presentation,
  Sheet,
} from 'lucide-react'

const icons: Partial<Record<FileType, LucideIcon>> = {
  pdf: FileText,
  docx: FileText,
  odt: FileText,
  rtf: FileText,
  md: FileText,
  txt: FileText,
  pptx: Presentation,
  odp: Presentation,
  xlsx: Sheet,
  ods: Sheet,
  csv: Sheet,
  html: Globe,
  json: Braces,
  code: Code,
  eml: Mail,
  epub: BookOpen,
  ics: CalendarDays,
  zip: Archive,
  image: Image,
  audio: AudioLines,
}

export function KindIcon({ type, className }: { type: FileType; className?: string }) {
  const Icon = icons[type] ?? File
  return <Icon aria-hidden className={className} />
}
