import { inFile, type Mutation } from '../mutation.ts'

const standby = inFile('server/src/db/standby/standby.ts', [
  {
    name: 'a standby is read without waiting until it has everything',
    search: '        await catchUp(connection, position)\n',
    replace: '',
  },
  {
    name: 'a standby is read when it has nearly everything',
    search: 'if (reached >= position) return',
    replace: 'if (reached >= position - 1_000n) return',
  },
  {
    name: 'a standby that failed goes on to be asked',
    search: '    isUsed = false\n    wasReported = true',
    replace: '    isUsed = true\n    wasReported = true',
  },
  {
    name: 'a standby of another database is used',
    search: '!== wanted.identity',
    replace: "=== ''",
  },
  {
    name: 'what fails on the standby fails',
    search: '      } catch {\n        // The primary says what',
    replace: '      } catch (error) {\n        if (isUsed !== null) throw error\n        // The primary says what',
  },
  {
    name: 'a standby that refuses something is given up',
    search: '  if (isAppError(error)) return false\n',
    replace: '',
  },
  {
    name: 'public reads go on with an old place of the log',
    search: 'newest.age_ms() <= MAX_AGE_MS ?',
    replace: 'newest.age_ms() <= 1000 * MAX_AGE_MS ?',
  },
])

export const standbyMutations: readonly Mutation[] = [
  ...standby,
  ...inFile('server/src/modules/session/find-session.ts', [
    {
      name: 'a session does not learn where the log of the primary ends',
      search: 'walPosition: wal_position ?? undefined',
      replace: 'walPosition: undefined',
    },
  ]),
  ...inFile('server/src/main/compose/compose-standby.ts', [
    {
      name: 'first pages come from a standby',
      search: 'if (input.cursor === undefined) return onPrimary[key](input, context)\n',
      replace: '\n',
    },
  ]),
]
