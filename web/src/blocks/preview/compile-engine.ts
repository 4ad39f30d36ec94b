/** JSX, TSX and modules become plain scripts, by sucrase; loaded with the first page that needs it. */
import { transform } from 'sucrase'

export interface CompiledScript {
  /** A script that calls `require`, and sets `exports`. */
  readonly code: string
  /** What it imports, as it names it. */
  readonly imports: readonly string[]
}

/** Throws the compiler's error, with the line in its message, for what is none of these languages. */
export function compileScript(source: string): CompiledScript {
  const { code } = transform(source, {
    transforms: ['typescript', 'jsx', 'imports'],
    jsxRuntime: 'automatic',
    production: true,
    preserveDynamicImport: false,
  })
  const imports = [...code.matchAll(/\brequire\(\s*(['"])([^'"\n]{1,500})\1\s*\)/g)].map((match) => match[2] ?? '')
  return { code, imports: [...new Set(imports)] }
}
