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
  if (type === 'pdf') return <PdfIcon className={className} />
  const Icon = icons[type] ?? File
  return <Icon aria-hidden className={className} />
}

/** A page that says so: most documents are PDF, and they are told from text at a glance. */
function PdfIcon({ className }: { className?: string | undefined }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      <path d="M4 11V4a2 2 0 0 1 2-2h9l5 5v4" />
      <path d="M14 2v6h6" />
      <path d="M2 21v-6h1.5a1.8 1.8 0 0 1 0 3.6H2M10 15v6h1a3 3 0 0 0 0-6zM18 21v-6h4M18 18h3" />
    </svg>
  )
}
