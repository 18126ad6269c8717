import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram, type DebianProgram } from '@candela/testing/process/debian-programs'
import { needs } from '@candela/testing/process/needs'
import { freePort } from '@candela/testing/process/ports'

/** Each template is what the program that reads it accepts. Only paths that this machine does not have are replaced. */

const here = import.meta.dirname
let place: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'candela-templates-'))
})
afterAll(() => rm(place, { recursive: true, force: true }))

/** Returns what the program wrote. @throws with its output when it found something */
async function run(program: DebianProgram, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(findProgram(program) ?? program, args, { cwd: place })
  return stdout + stderr
}

/** A copy with other paths. @throws when a path is not in it */
async function copyWith(file: string, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  let text = await readFile(join(here, file), 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  const path = join(place, file.replaceAll('/', '-'))
  await writeFile(path, text)
  return path
}

/** A certificate of its own, in files that are named from where the programs run: a blank in the whole path ends a name. */
async function makeCertificate(): Promise<{ certificate: string; key: string; both: string }> {
  const files = { certificate: 'certificate.pem', key: 'key.pem', both: 'both.pem' }
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost']
  await run('openssl', 'req', '-x509', ...kind, '-keyout', files.key, '-out', files.certificate)
  const parts = [files.certificate, files.key].map((name) => readFile(join(place, name), 'utf8'))
  await writeFile(join(place, files.both), (await Promise.all(parts)).join(''))
  return files
}

test('HAProxy takes both of its files', needs('haproxy', 'openssl'), async () => {
  const { both } = await makeCertificate()
  const people = await copyWith('proxy/haproxy.cfg', { '/etc/haproxy/candela.pem': both })
  await run('haproxy', '-c', '-f', people)
  const database = await copyWith('postgres/haproxy-postgres.cfg')
  await run('haproxy', '-c', '-f', database)
  const wrong = await copyWith('postgres/haproxy-postgres.cfg', { 'mode tcp': 'mode tpc' })
  await expect(run('haproxy', '-c', '-f', wrong)).rejects.toThrow(/tpc/)
})

const checkNginx = (path: string) =>
  run('nginx', '-t', '-q', '-p', place, '-c', path, '-e', 'error.log', '-g', 'pid pid;')

test('nginx takes its file', needs('nginx', 'openssl'), async () => {
  const { certificate, key } = await makeCertificate()
  // Even a check listens, and makes the folders for bodies: where only root may.
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`)
  const files = {
    '/etc/nginx/candela.pem': certificate,
    '/etc/nginx/candela.key': key,
    'listen 80;': `listen 127.0.0.1:${await freePort()};`,
    'listen 443 ': `listen 127.0.0.1:${await freePort()} `,
    'http {': `http { ${bodies.join(' ')}`,
  }
  await checkNginx(await copyWith('proxy/nginx.conf', files))
  const wrong = await copyWith('proxy/nginx.conf', { ...files, proxy_pass: 'proxy_past' })
  await expect(checkNginx(wrong)).rejects.toThrow(/proxy_past/)
})

test('systemd takes the units, and little is open to them', needs('systemd-analyze'), async ({ onTestFinished }) => {
  // A blank in the path of this tree would end the name of a program.
  const link = await mkdtemp('/tmp/candela-units-')
  onTestFinished(() => rm(link, { recursive: true, force: true }))
  await symlink(join(here, '..'), join(link, 'tree'))
  const root = { '/opt/candela': join(link, 'tree') }
  for (const name of ['candela-api', 'candela-worker']) {
    const path = join(place, `${name}.service`)
    await cp(await copyWith(`systemd/${name}.service`, root), path)
    // It also names what it ignores, with exit code 0.
    expect(await run('systemd-analyze', 'verify', path)).toBe('')
    expect(await readFile(path, 'utf8')).toMatch(/^StartLimitIntervalSec=0$/m)
    await run('systemd-analyze', 'security', '--offline=true', '--threshold=15', path)
  }
  const wrong = join(place, 'wrong.service')
  await cp(await copyWith('systemd/candela-api.service', { ...root, 'Restart=always': 'Restrt=always' }), wrong)
  expect(await run('systemd-analyze', 'verify', wrong)).toContain('Restrt')
})

test('Prometheus takes its file and the alerts, and the alerts pass their tests', needs('promtool'), async () => {
  await cp(join(here, 'monitoring'), place, { recursive: true })
  await run('promtool', 'check', 'rules', 'alerts.yml')
  expect(await run('promtool', 'test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  await cp(await copyWith('monitoring/prometheus.yml', { '/etc/prometheus': place }), join(place, 'prometheus.yml'))
  await run('promtool', 'check', 'config', 'prometheus.yml')
  const wrong = await copyWith('monitoring/alerts.yml', { 'expr: max(': 'expr: max((' })
  await expect(run('promtool', 'check', 'rules', wrong)).rejects.toThrow(/parse/)
})

test('every file of YAML and JSON can be read', async () => {
  for (const file of ['postgres/patroni.yml', 'monitoring/prometheus.yml', 'container/compose.yml']) {
    expect(Object.keys(parse(await readFile(join(here, file), 'utf8')) as object).length).toBeGreaterThan(1)
  }
  JSON.parse(await readFile(join(here, 'monitoring/dashboard.json'), 'utf8'))
})

/** Reads a setting in whole seconds, as `4s`; NaN of any other. */
const seconds = (text: unknown): number => Number(/^(\d+)s?$/.exec(String(text))?.[1])

test('the times in the file of Patroni fit together', async () => {
  const file = parse(await readFile(join(here, 'postgres/patroni.yml'), 'utf8')) as {
    bootstrap: {
      dcs: {
        ttl: number
        loop_wait: number
        retry_timeout: number
        postgresql: { parameters: Record<string, unknown> }
      }
    }
  }
  const { ttl, loop_wait, retry_timeout, postgresql } = file.bootstrap.dcs
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
  // Patroni asks etcd for this long before it stops the primary.
  expect(seconds(postgresql.parameters['wal_sender_timeout'])).toBeLessThan(2 * retry_timeout)
})

test('the Containerfile copies and starts what there is', async () => {
  const text = await readFile(join(here, 'container/Containerfile'), 'utf8')
  const lines = text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const known = /^(?:FROM|WORKDIR|COPY|RUN|ARG|ENV|USER|EXPOSE|STOPSIGNAL|HEALTHCHECK|CMD) \S/
  expect(lines.filter((line) => !known.test(line))).toEqual([])
  const copied = lines.flatMap((line) => /^COPY --from=build \S+ \/opt\/candela\/(\S+)/.exec(line)?.[1] ?? [])
  const started = /^CMD \["node_modules\/.bin\/node", "([^"]+)"\]$/m.exec(text)?.[1] ?? ''
  expect([copied.length, started]).toEqual([5, 'server/dist/main.js'])
  for (const path of [...copied, started]) expect(existsSync(join(here, '..', path)), path).toBe(true)
})
