/** A copy of the tree in a temporary folder, to plant faults in it and to write an area into it. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
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

/** Hard links cost little; another disk gets copies. The packages of this repository are links that lead into the copy. */
function linkPackages(from, to) {
  const [packages, linked] = [join(from, 'node_modules'), join(to, 'node_modules')]
  if (!existsSync(packages)) return
  if (spawnSync('cp', ['-al', packages, linked]).status !== 0) {
    rmSync(linked, { recursive: true, force: true })
    if (spawnSync('cp', ['-a', packages, linked]).status !== 0) throw new Error('The packages could not be copied.')
  }
  for (const cache of ['.cache', '.vite']) rmSync(join(linked, cache), { recursive: true, force: true })
}
