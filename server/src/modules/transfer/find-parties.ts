import { codes } from '@candela/protocol/codes/codes'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'

/** A member as a transfer names it. */
const partyRow = z.object({ id: z.bigint(), uid: z.bigint(), address: z.templateLiteral(['0x', z.string()]) })
export type Party = z.output<typeof partyRow>

export type PartyFinder = ReturnType<typeof partyFinder>

/** How many are remembered; a few megabytes. */
const MAX_KNOWN = 50_000

/**
 * Remembers whom it has found and who stays: id, UID and address of a member never change, so what was true stays true. Who is not
 * found is looked for again, because they may have joined. Nobody finds an account that is about to go.
 */
export function partyFinder(db: Database, maxKnown = MAX_KNOWN) {
  const known = new Map<string, Party>()
  const remember = (party: Party): void => {
    if (known.size >= 3 * maxKnown) known.clear()
    known.set(idKey(party.id), party).set(party.address, party).set(party.uid.toString(), party)
  }
  return {
    /**
     * The sender and the member who has this address or UID.
     * @param asked.to lower-case address, or the decimal text of a UID
     * @throws AppError 4205 when nobody has it
     */
    async find({ memberId, to, now }: { memberId: bigint; to: string; now: Date }) {
      let [sender, recipient] = [known.get(idKey(memberId)), known.get(to)]
      if (sender === undefined || recipient === undefined) {
        // Taken from what was read and not from the cache, which may be emptied at any moment.
        const found = await readParties(db, memberId, to, now)
        const parties = found.map(({ id, uid, address }): Party => ({ id, uid, address }))
        for (const [nth, party] of parties.entries()) if (found[nth]?.stays === true) remember(party)
        sender = parties.find(({ id }) => id === memberId)
        recipient = parties.find(({ uid, address }) => address === to || uid.toString() === to)
      }
      if (recipient === undefined) throw new AppError(codes.recipientUnknown)
      return { sender: must(sender, `member ${memberId} of a session exists`), recipient }
    },
  }
}

/** Ids and UIDs are both numbers, and not the same ones. */
const idKey = (id: bigint): string => `#${id}`

/** An account that may go again may be another one's the next time that its address is named. */
const foundRow = partyRow.extend({ stays: z.boolean() })

async function readParties(db: Database, memberId: bigint, to: string, now: Date) {
  const address = to.startsWith('0x') ? to : null
  const uid = address === null ? to : null
  return queryRows(
    db,
    foundRow,
    sql`
    select id, uid, address, leaves_at is null as stays from member
    where id = ${memberId} or ((address = ${address} or uid = ${uid}) and (leaves_at is null or leaves_at > ${now}))`,
  )
}
