import { inFile, type Mutation } from '../mutation.ts'

const fence = inFile('server/src/db/lease/fence.ts', [
  {
    name: 'the number of the lease is not looked at when a transaction begins',
    search: '[text, LOCK, ...(isChecked ? [check] : [])]',
    replace: '[text, LOCK]',
  },
  {
    name: 'a lease can be taken while a transaction under it is open',
    search: '[text, LOCK, ...(isChecked ? [check] : [])]',
    replace: '[text, ...(isChecked ? [check] : [])]',
  },
  {
    name: 'a transaction at one snapshot is committed under a lease that is gone',
    search: "if (text === 'commit' && !isChecked) await query(check)",
    replace: 'if (isChecked === null) await query(check)',
  },
  {
    name: 'the snapshot of a transaction begins with the look at the lease',
    search: 'isChecked = !/repeatable read|serializable/.test(text)',
    replace: 'isChecked = true',
  },
  {
    name: 'a statement by itself is not fenced',
    search: 'isOpen || /^\\s*select\\b/i.test(text)',
    replace: "isOpen || text !== ''",
  },
  {
    name: 'a refusal leaves its connection in a failed transaction',
    search: "      await query('rollback').catch(() => undefined)\n",
    replace: '',
  },
])

const lease = inFile('server/src/db/lease/lease.ts', [
  {
    name: 'whether a lease has expired is compared the wrong way where it is looked at',
    search: 'expires_at <= clock_timestamp() as is_over',
    replace: 'expires_at >= clock_timestamp() as is_over',
  },
  {
    name: 'whether a lease has expired is not compared where it is taken',
    search: '\n      where l.expires_at <= clock_timestamp()',
    replace: '',
  },
  {
    name: 'a lease is taken under the same number',
    search: 'number = l.number + 1',
    replace: 'number = l.number',
  },
  {
    name: 'a lease that another has taken is prolonged',
    search: "\n    .where('number', '=', number)\n    .executeTakeFirstOrThrow()",
    replace: '\n    .executeTakeFirstOrThrow()',
  },
  {
    name: 'a lease that another has taken is given back',
    search: "\n    .where('number', '=', number)\n    .execute()",
    replace: '\n    .execute()',
  },
  {
    name: 'a lease is taken without waiting for transactions under it',
    search: 'lock table lease in exclusive mode',
    replace: 'lock table lease in row exclusive mode',
  },
  {
    name: 'a paused holder keeps its lease as long as its transaction',
    search: "if (sqlState(error) !== '55P03') throw error",
    replace: 'throw error',
  },
  {
    name: 'connections that were lost are asked again and again',
    search: '      db = open()\n',
    replace: '',
  },
])

const schema = inFile('server/src/db/migrations/0420_lease.sql', [
  {
    name: 'any number of the lease will do',
    search: 'where name = p_name and number = p_number',
    replace: 'where name = p_name',
  },
])

const leading = inFile('server/src/jobs/lead.ts', [
  {
    name: 'the loss of the lease goes unnoticed',
    search: "=== false) return lost('taken')",
    replace: "=== null) return lost('taken')",
  },
  {
    name: 'work goes on after the lease was lost',
    search: 'if (work !== null) await (loss === null ? work.stop() : stopWithin(work))',
    replace: 'if (work !== null && loss === null) await work.stop()',
  },
  {
    name: 'a server that stops keeps the lease until it expires',
    search: 'if (!isTaken) await ask(lease.release(number))',
    replace: 'if (isTaken) await ask(lease.release(number))',
  },
])

const work: Mutation[] = [
  {
    file: 'server/src/jobs/loop.ts',
    name: 'a loop goes on after its lease was lost',
    search: 'if (isLeaseLost(error)) {',
    replace: "if (reason === '') {",
  },
  {
    file: 'server/src/jobs/worker.ts',
    name: 'a task that a dead server has locked waits for hours',
    search: 'if (rows.length > 0) await utils',
    replace: 'if (rows.length < 0) await utils',
  },
  {
    file: 'server/src/jobs/fence-sending.ts',
    name: 'a woken server sends what it had stored',
    search: '    await transaction(db, () => Promise.resolve())\n',
    replace: '',
  },
]

/** The choice of which of several servers works, and that no other one does. */
export const leaseMutations: readonly Mutation[] = [...fence, ...lease, ...schema, ...leading, ...work]
