import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'

const source = join(import.meta.dirname, 'src')

/**
 * As a script: builds the server and the operator's command line into the folder that is named, else `dist`, as a few files, because a
 * process that reads two thousand modules takes twice as long to start. Not minified, so that stacks name what they are about.
 * @throws with what does not build
 */
async function buildInto(folder: string): Promise<void> {
  await build({
    logLevel: 'warn',
    platform: 'node',
    input: {
      main: join(source, 'main', 'main.ts'),
      'http-thread': join(source, 'http', 'worker', 'http-thread.ts'),
      'snapshot-thread': join(source, 'jobs', 'snapshot-thread.ts'),
      candela: join(source, 'operator', 'candela.ts'),
      migrate: join(source, 'main', 'migrate', 'migrate-database.ts'),
    },
    // A package that starts threads from a file of its own. `pg` asks for the second if it is there.
    external: ['tinypool', 'pg-native'],
    // Threads begin with files beside the one that starts them: all in one folder.
    output: { dir: folder, cleanDir: true, sourcemap: true },
    plugins: [
      {
        name: 'migrations',
        async buildStart() {
          const migrations = join(source, 'db', 'migrations')
          for (const name of await readdir(migrations)) {
            const text = await readFile(join(migrations, name))
            this.emitFile({ type: 'asset', fileName: `migrations/${name}`, source: text })
          }
          const grants = await readFile(join(source, 'db', 'grants.sql'))
          this.emitFile({ type: 'asset', fileName: 'grants.sql', source: grants })
        },
      },
    ],
  })
}

await buildInto(process.argv[2] ?? join(import.meta.dirname, 'dist'))
