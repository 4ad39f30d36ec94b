/** A copy of the tree in a temporary folder, to plant faults in it and to write an area into it. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './runtime.mjs'

/** Copies the files that git knows or would take in, and the packages. Gives the path; whoever asked removes it. */
export function copyTree(prefix) {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  // The PostgreSQL server of the tests runs as another user when we are root, and its programs are among the packages.
  chmodSync(copy, 0o755)
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    copyFileSync(join(root, path), join(copy, path))
  }
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const path of ['.', ...workspaces]) linkPackages(join(root, path), join(copy, path))
  return copy
}

/**
 * Hard links where both lie on one disk: processes that read files may not follow links out of the tree. Elsewhere a
 * link for each package. Those of this repository are links that lead into the copy.
 */
function linkPackages(from, to) {
  const [packages, linked] = [join(from, 'node_modules'), join(to, 'node_modules')]
  if (!existsSync(packages)) return
  if (statSync(packages).dev === statSync(to).dev) {
    execFileSync('cp', ['-al', packages, linked])
    for (const cache of caches) rmSync(join(linked, cache), { recursive: true, force: true })
    return
  }
  mkdirSync(linked)
  for (const name of readdirSync(packages)) {
    const [target, link] = [join(packages, name), join(linked, name)]
    if (name === '@atrium') cpSync(target, link, { recursive: true, verbatimSymlinks: true })
    else if (!caches.includes(name)) symlinkSync(target, link)
  }
}

const caches = ['.cache', '.vite', '.vite-temp']
